"""The Celery application. Tasks are found by name in each floor's tasks.py; nobody imports them."""

import os
import signal

from celery import Celery
from celery.signals import heartbeat_sent, worker_process_init, worker_ready
from django.core.cache import cache

from pam import heartbeat
from pam.local import processes

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pam.settings")

app = Celery("pam")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@heartbeat_sent.connect
def show_life(**_: object) -> None:
    """Runs in the worker's parent every two seconds, also while its child is deep in a long document."""
    heartbeat.beat(cache)


@worker_ready.connect
def look_for_work(**_: object) -> None:
    """What a worker had in hand that was killed would else wait for beat."""
    app.send_task("memories.tasks.sweep_messages", ignore_result=True, retry=False)


@worker_process_init.connect
def end_with_the_worker(**_: object) -> None:
    """A child whose worker was killed would go on with a task that the next worker takes over."""
    ask_kernel = processes.die_with_parent(signal.SIGKILL)
    if ask_kernel is not None:
        ask_kernel()
