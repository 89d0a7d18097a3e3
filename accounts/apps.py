from importlib import import_module

from allauth.core.internal import ratelimit
from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import post_migrate
from django.utils.module_loading import import_string

from accounts import throttle


def ensure_plans(**kwargs: object) -> None:
    import_string("accounts.plans.ensure")()


def _keep_watch() -> None:
    """What happens to a person's login is noted; a code that was used is remembered where sign-in attempts are."""
    sessions, second_factor = (import_module(f"accounts.{name}") for name in ("sessions", "second_factor"))
    user_logged_in.connect(sessions.started)
    signals = import_module("allauth.mfa.signals")
    signals.authenticator_added.connect(second_factor.note_added)
    signals.authenticator_removed.connect(second_factor.note_removed)
    signals.authenticator_reset.connect(second_factor.note_reset)
    signals.authenticator_used.connect(second_factor.note_used)
    import_module("allauth.mfa.totp.internal.auth").cache = ratelimit.cache  # type: ignore[attr-defined]


class AccountsConfig(AppConfig):
    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # allauth has no setting for the cache of its rate limits, and ours must outlive Valkey.
        ratelimit.cache = throttle.AttemptCache()
        # Models cannot be imported while apps load, hence by name.
        post_migrate.connect(ensure_plans, sender=self)
        import_module("accounts.openapi")
        _keep_watch()
