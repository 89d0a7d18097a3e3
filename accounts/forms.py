"""What people fill in."""

from django import forms
from django.http import HttpRequest

from accounts.models import User


class SignupForm(forms.Form):
    """The organisation's name beside allauth's e-mail and password: signing up makes an account."""

    organisation = forms.CharField(max_length=120, strip=True)

    def signup(self, request: HttpRequest, user: User) -> None:
        """Called by allauth after it saved the person."""
