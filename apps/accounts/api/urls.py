"""Addresses of the calls of the session, of the registration and of addresses."""

from apps.accounts.api import registration, views
from apps.common.http.api import calls

urlpatterns = calls(
    {
        "login": views.LoginView,
        "check": views.CheckView,
        "password/<str:company_id>": views.PasswordView,
        "account/colleagues": views.ColleaguesView,
        "account/addresses": views.AddressesView,
        "account/addresses/<str:address_id>": views.AddressView,
        "account/addresses/<str:address_id>/default": views.DefaultAddressView,
        "reset-password": registration.ResetPasswordView,
        "invitation": registration.AcceptInvitationView,
        "invitation/<str:token>": registration.InvitationView,
        "register/email-check": registration.EmailCheckView,
        "register/find-state": views.FindStateView,
        "register/init-info/<str:token>": registration.RegistrationFormView,
        "register/sign-up": registration.SignUpView,
        "fileupload": registration.FileUploadView,
    }
)
