"""The Django project, made from an installation: no file of settings is read when lydite is imported."""

from __future__ import annotations

from pathlib import Path

from lydite.optional_libraries import library
from lydite_workbench.installation import Installation, database_settings, secret_of

ROOM = "lydite_workbench"
APPS = ("accounts", "campaigns", "assessment", "adjudication", "corpus")
HERE = Path(__file__).parent
DAY = 24 * 60 * 60


def settings_for(installation: Installation) -> dict[str, object]:
    """The settings of Django."""
    return {
        "SECRET_KEY": secret_of(installation),
        "DEBUG": False,
        "ALLOWED_HOSTS": list(installation.hosts),
        "INSTALLED_APPS": [
            "django.contrib.auth",
            "django.contrib.contenttypes",
            "django.contrib.sessions",
            "django.contrib.staticfiles",
            *(f"{ROOM}.{app}" for app in APPS),
        ],
        "MIDDLEWARE": [
            f"{ROOM}.middleware.structured_log",
            "django.middleware.security.SecurityMiddleware",
            "whitenoise.middleware.WhiteNoiseMiddleware",
            f"{ROOM}.middleware.content_policy",
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.common.CommonMiddleware",
            f"{ROOM}.middleware.callers",
            f"{ROOM}.middleware.plain_forms",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
        ],
        "ROOT_URLCONF": f"{ROOM}.urls",
        "TEMPLATES": [_templates()],
        "DATABASES": {"default": database_settings(installation.database)},
        "DEFAULT_AUTO_FIELD": "django.db.models.BigAutoField",
        "LYDITE_FILES": installation.files.absolute(),
        "LYDITE_MAX_UPLOAD": installation.max_upload,
        "LOGGING": _logging(),
        "USE_TZ": True,
        "TIME_ZONE": "UTC",
        "LANGUAGE_CODE": "en",
        "USE_I18N": False,
        **_accounts(),
        **_safety(installation),
        **_files(),
    }


def _templates() -> dict[str, object]:
    return {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [HERE / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": ["django.template.context_processors.request", f"{ROOM}.pages.context"]
        },
    }


def _accounts() -> dict[str, object]:
    checks = "django.contrib.auth.password_validation"
    return {
        "AUTH_USER_MODEL": "accounts.User",
        "PASSWORD_HASHERS": ["django.contrib.auth.hashers.Argon2PasswordHasher"],
        "AUTH_PASSWORD_VALIDATORS": [
            {"NAME": f"{checks}.UserAttributeSimilarityValidator", "OPTIONS": {"user_attributes": ("name",)}},
            {"NAME": f"{checks}.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
            {"NAME": f"{checks}.CommonPasswordValidator"},
            {"NAME": f"{checks}.NumericPasswordValidator"},
        ],
    }


def _safety(installation: Installation) -> dict[str, object]:
    proxied = {"SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https")}
    return {
        "SESSION_COOKIE_AGE": 14 * DAY,
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SESSION_COOKIE_SECURE": installation.secure,
        "CSRF_COOKIE_HTTPONLY": True,
        "CSRF_COOKIE_SAMESITE": "Lax",
        "CSRF_COOKIE_SECURE": installation.secure,
        "CSRF_USE_SESSIONS": False,
        "CSRF_FAILURE_VIEW": f"{ROOM}.rights.csrf_failure",
        "SECURE_CONTENT_TYPE_NOSNIFF": True,
        "SECURE_REFERRER_POLICY": "same-origin",
        "SECURE_HSTS_SECONDS": 365 * DAY if installation.secure else 0,
        "LYDITE_BEHIND_PROXY": installation.behind_proxy,
        **(proxied if installation.behind_proxy else {}),
    }


def _files() -> dict[str, object]:
    return {
        "STATIC_URL": "/static/",
        "STATICFILES_DIRS": [HERE / "static"],
        "WHITENOISE_USE_FINDERS": True,
        "WHITENOISE_AUTOREFRESH": False,
        "WHITENOISE_MAX_AGE": 3600,
        "WHITENOISE_ALLOW_ALL_ORIGINS": False,
        "FILE_UPLOAD_HANDLERS": [f"{ROOM}.uploads.StoringHandler"],
        "DATA_UPLOAD_MAX_MEMORY_SIZE": 2_500_000,
        "DATA_UPLOAD_MAX_NUMBER_FILES": 4,
    }


def _logging() -> dict[str, object]:
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": f"{ROOM}.logs.JsonLines"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "loggers": {
            "lydite_workbench": {"handlers": ["stderr"], "level": "INFO"},
            "django": {"handlers": ["stderr"], "level": "ERROR", "propagate": False},
        },
    }


def start(installation: Installation) -> None:
    """Set Django up in this process for an installation."""
    # An unknown kind of database is refused before anything is made.
    database_settings(installation.database)
    for name in ("django", "argon2", "whitenoise", "waitress"):
        library(name, "workbench", "the workbench")
    if not installation.is_embedded:
        library("psycopg", "postgresql", "a PostgreSQL database")
    import django
    from django.conf import settings

    # Other users must not read the folders of the workbench.
    database = [Path(installation.database).parent] if installation.is_embedded else []
    for folder in (*database, installation.files):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    settings.configure(**settings_for(installation))
    django.setup()
