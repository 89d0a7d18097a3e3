"""Settings of the second step at sign-in (allauth.mfa), for pam/settings.py."""

MFA_ADAPTER = "accounts.mfa_adapter.MFAAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
#: The code before and the next one are right too: clocks of phones differ.
MFA_TOTP_TOLERANCE = 1
# Where confirming an address is wanted, nobody gets in without one; and a second address is no reason against a lock.
MFA_ALLOW_UNVERIFIED_EMAIL = True
# A passkey can't be guessed; the bound is for whole offices behind one address.
MFA_RATE_LIMITS = {"webauthn_login": "60/m/ip"}
MFA_FORMS = {
    "authenticate": "accounts.mfa_forms.AuthenticateForm",
    "reauthenticate": "accounts.mfa_forms.ReauthenticateForm",
    "activate_totp": "accounts.mfa_forms.ActivateTOTPForm",
    "add_webauthn": "accounts.mfa_forms.AddPasskeyForm",
    "edit_webauthn": "accounts.mfa_forms.RenamePasskeyForm",
    "authenticate_webauthn": "accounts.mfa_forms.AuthenticatePasskeyForm",
    "login_webauthn": "accounts.mfa_forms.LoginPasskeyForm",
    "reauthenticate_webauthn": "accounts.mfa_forms.ReauthenticatePasskeyForm",
}
