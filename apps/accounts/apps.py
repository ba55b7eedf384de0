"""The accounts app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "apps.accounts"

    def ready(self) -> None:
        """Note the moment of a sign-in in our own way, in Django's place; what that imports needs
        the models.
        """
        from django.contrib.auth.signals import user_logged_in

        from apps.accounts.attempts import note_sign_in

        user_logged_in.disconnect(dispatch_uid="update_last_login")
        user_logged_in.connect(note_sign_in)
