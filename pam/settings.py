"""Every setting, by subject. The defaults run on a bare checkout; `.env.example` lists what can be set."""

from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.conf import global_settings

from pam.end_user_settings import *  # noqa: F403 (what is in there are settings, and nothing else)
from pam.end_user_settings import END_USER_SCHEDULE
from pam.environment import database, flag, kept_secret, number, text, words
from pam.local import addresses
from pam.log_settings import *  # noqa: F403 (likewise)
from pam.mail_settings import *  # noqa: F403 (likewise)
from pam.mail_settings import EMAIL_BACKEND
from pam.oauth_settings import *  # noqa: F403 (likewise)
from pam.oauth_settings import OAUTH2_PROVIDER
from pam.rest_settings import *  # noqa: F403 (likewise)
from pam.second_step_settings import *  # noqa: F403 (likewise)

BASE_DIR = Path(__file__).resolve().parent.parent


# The install --------------------------------------------------------------------------------------------------------

PAM_HOME = Path(text("PAM_HOME", str(BASE_DIR / ".pam"))).resolve()
PAM_PORT = number("PAM_PORT", 8000)
#: The address that people and agents use, without a slash at its end.
PUBLIC_URL = text("PAM_PUBLIC_URL", f"http://127.0.0.1:{PAM_PORT}").rstrip("/")
DEBUG = flag("PAM_DEBUG", default=False)
SECRET_KEY = text("PAM_SECRET_KEY") or kept_secret(PAM_HOME / "secret_key")
_host = urlsplit(PUBLIC_URL).hostname or "localhost"
ALLOWED_HOSTS = [*words("PAM_ALLOWED_HOSTS"), _host, "localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "accounts.staff_app.StaffAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "csp",
    "oauth2_provider",
    "accounts",
    "memories",
    "mcp_gateway",
    "pam",
]

MIDDLEWARE = [
    "accounts.request_id.middleware",
    "pam.metrics.middleware",
    "mcp_gateway.shortcut.Shortcut",
    "memories.api.end_users.passage.Passage",
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "pam.pages.ErrorPages",
]

ROOT_URLCONF = "pam.urls"
ASGI_APPLICATION = "pam.asgi.application"
APPEND_SLASH = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.page_context.installation",
            ],
        },
    },
]

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
#: Where collectstatic puts files in an image; without it they are served from where they lie.
STATIC_ROOT = text("PAM_STATIC_ROOT") or None
STATICFILES_DIRS = [BASE_DIR / "static"]
SERVESTATIC_USE_FINDERS = True

# Postgres and Valkey ------------------------------------------------------------------------------------------------

# Without an address of one's own: the embedded servers of the last `manage.py up`.
_embedded = addresses.of(PAM_HOME)
DATABASE_URL = text("DATABASE_URL") or _embedded.get("DATABASE_URL", "")
REDIS_URL = text("REDIS_URL") or _embedded.get("REDIS_URL", "redis://127.0.0.1:6379/0")
PAM_DATABASE_POOL = number("PAM_DATABASE_POOL", 16)
DATABASES = {"default": database(DATABASE_URL or "postgres://pam@localhost/pam")}
DATABASES["default"]["OPTIONS"] = {
    **DATABASES["default"]["OPTIONS"],  # type: ignore[dict-item]
    "pool": {
        "min_size": 1,
        "max_size": PAM_DATABASE_POOL,
        "timeout": 10,
        # The pause between attempts doubles: given up with the caller and begun anew by the next, none is long.
        "reconnect_timeout": 10,
    },
}
CACHES = {
    "default": {
        "BACKEND": "django_redis.cache.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "pam",
        "OPTIONS": {
            "CONNECTION_FACTORY": "accounts.valkey.ConnectionFactory",
            "SOCKET_CONNECT_TIMEOUT": 1,
            "SOCKET_TIMEOUT": 2,
        },
    },
    "process": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
}

# Celery: the row is the queue, a message only wakes a worker ----------------------------------------------------------

CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_REJECT_ON_WORKER_LOST = True
# Kilobytes: a child whose heap has grown on long documents is replaced after the task in hand.
CELERY_WORKER_MAX_MEMORY_PER_CHILD = number("PAM_WORKER_MEMORY_KB", 1_080_000)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_SOFT_TIME_LIMIT = 600
CELERY_TASK_TIME_LIMIT = 660
CELERY_BEAT_SCHEDULE: dict[str, dict[str, object]] = {
    "take up documents that no worker has": {
        "task": "memories.tasks.sweep",
        "schedule": timedelta(seconds=30),
    },
    "forget what is over of OAuth": {
        "task": "accounts.tasks.prune_oauth",
        "schedule": timedelta(hours=1),
    },
    "keep the request log quick to search": {
        "task": "mcp_gateway.tasks.sort_in_request_log",
        "schedule": timedelta(seconds=60),
    },
    "erase accounts that were closed long enough ago": {
        "task": "accounts.tasks.erase_closed_accounts",
        "schedule": timedelta(hours=1),
    },
    "forget old marks of change": {
        "task": "memories.tasks.prune_search_changes",
        "schedule": timedelta(hours=1),
    },
    "prune the request log": {
        "task": "mcp_gateway.tasks.prune_request_log",
        "schedule": timedelta(hours=1),
    },
    **END_USER_SCHEDULE,
}

# People -------------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [*global_settings.PASSWORD_HASHERS, "accounts.oauth.client_secrets.RandomSecretHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/setup"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
# Only a sign-up that ends in a mail can hide that an address is taken; without a mail server nobody could finish it.
_can_mail = not EMAIL_BACKEND.startswith("django.core.mail.backends.console.")
#: Whether mail leaves the house; else it is written to the log.
PAM_CAN_MAIL = _can_mail
ACCOUNT_EMAIL_VERIFICATION = text("PAM_EMAIL_VERIFICATION", "mandatory" if _can_mail else "optional")
# By the day besides allauth's own bound by the minute: what sign-up tells cannot be asked of whole lists of addresses.
ACCOUNT_RATE_LIMITS = {"signup": "20/m/ip,100/d/ip"}
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {"signup": "accounts.forms.SignupForm"}
#: Whoever changes a password, an address or the second step is told so by mail.
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[PAM] "
# Whoever confirms at the browser where they signed up is in; elsewhere the link opens nothing.
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_SESSION_REMEMBER = True
#: Whether strangers may make an account; closed, `manage.py create_account` still does.
PAM_SIGNUP_OPEN = flag("PAM_SIGNUP_OPEN", default=True)
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
DEFAULT_FROM_EMAIL = text("PAM_FROM_EMAIL", f"PAM <pam@{_host}>")
SESSION_COOKIE_AGE = 14 * 24 * 3600

# Browsers keep cookies by host and not by port: a second PAM on this machine needs names of its own.
_port = urlsplit(PUBLIC_URL).port
_mark = f"_{_port}" if _port else ""
SESSION_COOKIE_NAME = f"pam_session{_mark}"
CSRF_COOKIE_NAME = f"pam_csrf{_mark}"
_secure = PUBLIC_URL.startswith("https://")
SESSION_COOKIE_SECURE = _secure
CSRF_COOKIE_SECURE = _secure
_behind_proxy = flag("PAM_BEHIND_PROXY", default=False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _behind_proxy else None
# Sign-in attempts and sessions are by the visitor's address, which the proxy puts last.
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if _behind_proxy else 0
# Only behind a proxy that tells which is which: without one every request would look like http, for ever. What asks
# after health comes from this machine and speaks http.
SECURE_SSL_REDIRECT = _secure and _behind_proxy
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
#: How long a browser that was here keeps to https, whatever it is told later.
SECURE_HSTS_SECONDS = number("PAM_HSTS_SECONDS", 30 * 24 * 3600) if _secure else 0

# The second step at sign-in, and passkeys: the rest is in pam/second_step_settings.py.
# Browsers allow passkeys without https on localhost only.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not _secure
#: Whether staff admin opens only to who showed a second step. On where PAM is reached by https.
PAM_STAFF_MFA_REQUIRED = flag("PAM_STAFF_MFA_REQUIRED", default=_secure)

# Clients open the consent page, and the login before it, in a window of their own and wait for it there; the default
# would cut the two windows off from each other for good. No page of ours can be framed.
SECURE_CROSS_ORIGIN_OPENER_POLICY = None

#: Pages load nothing from elsewhere and run nothing that stands in them. Staff admin and the API page bring scripts of
#: their own; answers in JSON need no policy.
CONTENT_SECURITY_POLICY = {
    "EXCLUDE_URL_PREFIXES": ("/admin", "/api/", "/v1/", "/static/"),
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    },
}

OAUTH2_PROVIDER["OIDC_ISS_ENDPOINT"] = PUBLIC_URL

# The toolkit warns of http addresses; ours are of the person's own machine only (accounts/oauth/redirect_uris.py). What
# else stands at our domain, and whether it is on the browsers' list of https hosts, is not PAM's to say.
SILENCED_SYSTEM_CHECKS = ["oauth2_provider.W008", "security.W005", "security.W021"]

#: Staff admin's dress; the numbers of its start page are put together in pam/overview.py.
_GREENS = {
    50: "#eef7f2",
    100: "#d6ecdf",
    200: "#b0d9c2",
    300: "#82c0a0",
    400: "#4ea279",
    500: "#28865a",
    600: "#146c46",
    700: "#0f5739",
    800: "#0d462f",
    900: "#0b3a28",
    950: "#062117",
}
UNFOLD = {
    "DASHBOARD_CALLBACK": "pam.overview.show",
    "SITE_SYMBOL": "neurology",
    "COLORS": {"primary": {str(shade): colour for shade, colour in _GREENS.items()}},
}

#: How many days an account that its owner closed is kept, before it is erased with everything in it.
PAM_CLOSING_DAYS = number("PAM_CLOSING_DAYS", 30)
#: The plan of a new account: its name. `unlimited` suits an organisation that runs PAM for itself.
PAM_DEFAULT_PLAN = text("PAM_DEFAULT_PLAN", "unlimited")

#: Whether staff may read the texts of a new account (prompts, documents, memories) until an owner says otherwise. On
#: suits an organisation that runs PAM for itself; whoever runs it for others sets it to false.
PAM_SUPPORT_ACCESS_DEFAULT = flag("PAM_SUPPORT_ACCESS_DEFAULT", default=True)

# Documents ----------------------------------------------------------------------------------------------------------

PAM_MAX_DOCUMENT_BYTES = number("PAM_MAX_DOCUMENT_BYTES", 25 * 1024 * 1024)
PAM_MAX_ARCHIVE_BYTES = number("PAM_MAX_ARCHIVE_BYTES", 200 * 1024 * 1024)
PAM_MAX_ARCHIVE_ENTRIES = number("PAM_MAX_ARCHIVE_ENTRIES", 5000)
PAM_MAX_EXPANSION = number("PAM_MAX_EXPANSION", 100)
PAM_MAX_IMPORT_BYTES = number("PAM_MAX_IMPORT_BYTES", 20 * 1024 * 1024)
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = 1000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1100  # a path for each file, and a few more
#: A worker that has given no sign of life for so long is taken for dead, and its document is taken over.
PAM_CLAIM_SECONDS = number("PAM_CLAIM_SECONDS", 60)

# Embedding ----------------------------------------------------------------------------------------------------------

PAM_EMBEDDER = text("PAM_EMBEDDER", "memories.embedders.sentence_transformers.SentenceTransformersEmbedder")
#: A name that the embedder understands: a package that carries a model, or a folder.
PAM_EMBEDDING_MODEL = text("PAM_EMBEDDING_MODEL", "all-MiniLM-L6-v2")
PAM_EMBEDDING_THREADS = number("PAM_EMBEDDING_THREADS", 0)
#: A question's vector that takes longer is done without: the words decide.
PAM_EMBEDDING_TIMEOUT_SECONDS = number("PAM_EMBEDDING_TIMEOUT_SECONDS", 5)

# Search -------------------------------------------------------------------------------------------------------------

#: An account with more facts than this is searched through its indexes instead of whole.
PAM_EXACT_SCAN_FACTS = number("PAM_EXACT_SCAN_FACTS", 60_000)
PAM_WARM_MB = number("PAM_WARM_MB", 64)

# LLM: none is required ----------------------------------------------------------------------------------------------

PAM_LLM_PROVIDER = text("PAM_LLM_PROVIDER", "memories.language_models.openai_compatible.OpenAICompatible")
PAM_LLM_BASE_URL = text("PAM_LLM_BASE_URL")
PAM_LLM_MODEL = text("PAM_LLM_MODEL")
PAM_LLM_API_KEY = text("PAM_LLM_API_KEY")
PAM_LLM_TIMEOUT_SECONDS = number("PAM_LLM_TIMEOUT_SECONDS", 20)

# Retrieval and the gateway --------------------------------------------------------------------------------------------

PAM_RETRIEVAL_TIMEOUT_SECONDS = number("PAM_RETRIEVAL_TIMEOUT_SECONDS", 120)
PAM_MAX_REPORT_TOKENS = number("PAM_MAX_REPORT_TOKENS", 20_000)
PAM_SESSION_TTL_SECONDS = number("PAM_SESSION_TTL_SECONDS", 30 * 24 * 3600)
PAM_MCP_ALLOWED_ORIGINS = words("PAM_MCP_ALLOWED_ORIGINS")
PAM_MCP_STREAM_SECONDS = number("PAM_MCP_STREAM_SECONDS", 600)
PAM_MCP_STREAMS_PER_ACCOUNT = number("PAM_MCP_STREAMS_PER_ACCOUNT", 64)
PAM_MCP_MAX_BODY_BYTES = number("PAM_MCP_MAX_BODY_BYTES", 2 * 1024 * 1024)
#: Calls that one process works on at a time; each holds a database connection, the pages need the rest of the pool.
PAM_MCP_THREADS = number("PAM_MCP_THREADS", 12)
