from django.apps import AppConfig


class PamConfig(AppConfig):
    name = "pam"
