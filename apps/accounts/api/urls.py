"""Addresses of the calls of the session, of the registration and of addresses."""

from django.urls import path

from apps.accounts.api import addresses, colleagues, registration, views

urlpatterns = [
    path("login", views.LoginView.as_view()),
    path("check", views.CheckView.as_view()),
    path("password/<str:company_id>", views.PasswordView.as_view()),
    path("account/colleagues", colleagues.ColleaguesView.as_view()),
    path("account/addresses", addresses.AddressesView.as_view()),
    path("account/addresses/<str:address_id>", addresses.AddressView.as_view()),
    path("account/addresses/<str:address_id>/default", addresses.DefaultAddressView.as_view()),
    path("reset-password", registration.ResetPasswordView.as_view()),
    path("invitation", registration.AcceptInvitationView.as_view()),
    path("invitation/<str:token>", registration.InvitationView.as_view()),
    path("register/email-check", registration.EmailCheckView.as_view()),
    path("register/find-state", views.FindStateView.as_view()),
    path("register/init-info/<str:token>", registration.RegistrationFormView.as_view()),
    path("register/sign-up", registration.SignUpView.as_view()),
    path("fileupload", registration.FileUploadView.as_view()),
]
