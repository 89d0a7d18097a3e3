from django.apps import AppConfig
from django.utils.module_loading import import_string


class PamConfig(AppConfig):
    name = "pam"

    def ready(self) -> None:
        # Checks register themselves when imported; models cannot be imported while apps load, hence by name.
        import_string("pam.checks.llm_is_whole_or_absent")
        # Work is sent by task name through the current Celery application, in every process.
        import_string("pam.celery.app")
