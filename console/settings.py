"""Every setting, in one file. The environment differs, the file does not.

`DATABASE_URL` and `REDIS_URL` switch from the embedded way of running to the one at scale, and nothing else does.
"""

from datetime import timedelta
from pathlib import Path

from csp.constants import NONE, SELF

from console.kit import env
from console.kit.connections import database, redis_url

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.text("SWITCHBOARD_DATA", str(BASE_DIR / "var")))

DEBUG = False
SECRET_KEY = env.secret("SECRET_KEY") or env.stored_secret(DATA_DIR / "secret.key")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", env.OWN_NAMES)
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "channels",
    "axes",
    "csp",
    "console",
    "console.people",
    "console.audit",
    "console.notices",
    "telemetry",
    "escalations",
]
MIDDLEWARE = [
    "console.kit.nul.WithoutNul",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "console.people.middleware.PersonalSettings",
    "django.contrib.messages.middleware.MessageMiddleware",
    "axes.middleware.AxesMiddleware",
    "console.wrong_method.WrongMethod",
]
ROOT_URLCONF = "console.urls"
ASGI_APPLICATION = "console.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.template.context_processors.tz",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "console.chrome.chrome",
            ]
        },
    }
]

DATABASES = {"default": database(env.secret("DATABASE_URL"), DATA_DIR / "switchboard.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
REDIS_URL = redis_url(env.secret("REDIS_URL"))
EMBEDDED = REDIS_URL is None
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "console.embedded.layer.LoopBoundInMemoryChannelLayer",
        "CONFIG": {"capacity": 1000},
    }
    if REDIS_URL is None
    else {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": "switchboard"},
    }
}

AUTH_USER_MODEL = "people.User"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_CALLABLE = "console.people.pages.locked_out"
AXES_IPWARE_META_PRECEDENCE_ORDER = ["REMOTE_ADDR"]
CSRF_FAILURE_VIEW = "console.pages.csrf_failure"
LOGIN_URL = "signin"
LOGIN_REDIRECT_URL = "overview"
LOGOUT_REDIRECT_URL = "signin"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# How notices leave. Without EMAIL_HOST mail is printed, and its channels are shown as not set up.
PUBLIC_URL = env.text("PUBLIC_URL").rstrip("/")  # `up` puts its own address here where there is none
EMAIL_HOST = env.text("EMAIL_HOST")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
EMAIL_PORT = env.number("EMAIL_PORT", 25, least=1)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.secret("EMAIL_HOST_PASSWORD") or ""
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS", default=False)
EMAIL_USE_SSL = env.flag("EMAIL_USE_SSL", default=False)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM", "switchboard@localhost")
WEBHOOK_NETWORKS = env.networks("WEBHOOK_NETWORKS")
NOTICES_KEEP_DAYS = env.number("NOTICES_KEEP_DAYS", 30, least=1)
# Who is asked, before a notice is sent, whether anybody still wants it: by the kind of its subject.
NOTICE_SUBJECTS: dict[str, str] = {
    "case": "escalations.queries.notices.case_wanted",
    "breaker": "telemetry.queries.notices.breaker_wanted",
    "spike": "telemetry.queries.notices.spike_wanted",
}

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "console.kit.static.ModuleStorage"},
}

REST_FRAMEWORK = {
    "EXCEPTION_HANDLER": "console.kit.problem.problem",
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "console.people.auth.PersonalTokenAuthentication",
        "telemetry.auth.AgentKeyAuthentication",
        "console.people.auth.BrowserSession",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Switchboard",
    "DESCRIPTION": "Where people meet the failures of AI agents' tools.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],
        "connect-src": [SELF],
        "font-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env.flag("SECURE_COOKIES", default=False)
SESSION_COOKIE_AGE = 14 * 24 * 3600
if env.flag("BEHIND_TLS_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "json": {"()": "console.kit.logs.JsonLines"},
        "plain": {"()": "console.kit.logs.PlainLines"},
    },
    "handlers": {
        "out": {"class": "logging.StreamHandler", "formatter": env.text("LOG_FORMAT", "plain")},
    },
    "loggers": {
        "django.request": {"level": "ERROR"},  # a refusal is an answer; only a 500 is news
        "django.security.DisallowedHost": {"level": "CRITICAL"},  # the same, and the page says what to do
    },
    "root": {"handlers": ["out"], "level": env.text("LOG_LEVEL", "WARNING")},
}

# What people choose here and not in code; each is explained in docs/settings.md.
CLAIM_LEASE_S = env.number("CLAIM_LEASE_S", 300, least=10)
CASE_LIFE_S = env.number("CASE_LIFE_S", 24 * 3600, least=60)
REJECTION_STANDS_S = env.number("REJECTION_STANDS_S", 24 * 3600, least=0)
UNDO_WINDOW_S = env.number("UNDO_WINDOW_S", 0, least=0)
REQUIRE_CLAIM = env.flag("REQUIRE_CLAIM", default=False)
FOUR_EYES = env.flag("FOUR_EYES", default=False)
NO_REPORT_AFTER_S = env.number("NO_REPORT_AFTER_S", 600, least=10)
BREAKER_STALE_AFTER_S = env.number("BREAKER_STALE_AFTER_S", 30, least=1)
BREAKER_QUORUM_PERCENT = min(env.number("BREAKER_QUORUM_PERCENT", 100, least=1), 100)
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000  # a case's form has a field for every argument of every step
MAX_BODY_BYTES = env.number("MAX_BODY_BYTES", 8 * 1024 * 1024, least=1024)
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_BYTES
METRICS_TOKEN = env.secret("METRICS_TOKEN") or ""
OTLP_MAX_BODY_BYTES = env.number("OTLP_MAX_BODY_BYTES", 64 * 1024 * 1024, least=1024)
CALLS_KEEP_DAYS = env.number("CALLS_KEEP_DAYS", 30, least=1)
EVENTS_KEEP_DAYS = env.number("EVENTS_KEEP_DAYS", 90, least=1)
# How long counters are kept, by the minutes they sum: a page of 7 days compares with the 7 before.
COUNTERS_KEEP = {
    1: timedelta(days=env.number("MINUTES_KEEP_DAYS", 8, least=8)),
    15: timedelta(days=env.number("MINUTES_KEEP_DAYS", 8, least=8)),
    60: timedelta(days=env.number("HOURS_KEEP_DAYS", 100, least=15)),
    1440: timedelta(days=env.number("DAYS_KEEP_DAYS", 800, least=15)),
}
