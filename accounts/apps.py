from importlib import import_module

from allauth.core.internal import ratelimit
from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.module_loading import import_string

from accounts import throttle


def ensure_plans(**kwargs: object) -> None:
    import_string("accounts.plans.ensure")()


class AccountsConfig(AppConfig):
    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # allauth has no setting for the cache of its rate limits, and ours must outlive Valkey.
        ratelimit.cache = throttle.AttemptCache()
        # Models cannot be imported while apps load, hence by name.
        post_migrate.connect(ensure_plans, sender=self)
        import_module("accounts.openapi")
