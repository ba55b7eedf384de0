"""The calls of the registration, and of a password that is set by a mailed link."""

from dataclasses import asdict

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from apps.accounts.api import serializers as shapes
from apps.accounts.api.serializers import SignedIn
from apps.accounts.api.throttles import (
    EmailCheckAddressLimit,
    EmailCheckMailboxLimit,
    InvitationLimit,
    LinkLimit,
    ResetLimit,
    SignUpLimit,
    UploadAddressLimit,
    UploadLinkLimit,
)
from apps.accounts.api.views import PublicView
from apps.accounts.errors import CertificateTooLarge
from apps.accounts.models import BusinessType
from apps.accounts.rules import MAX_CERTIFICATE_BYTES
from apps.accounts.selectors import address_book, open_form
from apps.accounts.services.invitations import accept_invitation, open_invitation
from apps.accounts.services.passwords import reset_password
from apps.accounts.services.sign_up import request_link, sign_up, store_certificate
from apps.common.http.renderers import json_response, ok
from apps.common.http.schema import call, path_text
from apps.common.http.serializers import Success
from apps.common.storage.uploads import OneFileParser


class EmailCheckView(PublicView):
    """The registration link."""

    throttle_classes = (EmailCheckAddressLimit, EmailCheckMailboxLimit)

    @call("email_check", request=shapes.EmailCheck, answer=Success, public=True)
    def post(self, request: HttpRequest) -> HttpResponse:
        """Answer 1 once the mail is queued, -1 for an address that is subscribed."""
        fields = self.validated(shapes.EmailCheck)
        request_link(now=timezone.now(), **fields)
        return ok()


class RegistrationFormView(PublicView):
    """The form that a registration link opens."""

    throttle_classes = (LinkLimit,)

    @call(
        "registration_form",
        answer=shapes.RegistrationForm,
        parameters=[path_text("token", "The token of the mailed link.")],
        public=True,
    )
    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        """Answer 1 with what the form needs, -1 for a link that opens none."""
        form = open_form(token=token, now=timezone.now())
        if form is None:
            return json_response({"success": -1})
        choices = {"country": address_book.countries(), "businessType": BusinessType.objects.all()}
        return json_response(
            shapes.RegistrationForm({"success": 1, **asdict(form), **choices}).data
        )


class CertificateParser(OneFileParser):
    """Reads the certificate and the fields beside it."""

    field, max_bytes, too_large = "certificate_files", MAX_CERTIFICATE_BYTES, CertificateTooLarge


class FileUploadView(PublicView):
    """The certificate."""

    parser_classes = (CertificateParser,)
    throttle_classes = (UploadAddressLimit,)

    @call(
        "file_upload",
        request=shapes.Upload,
        media_type=CertificateParser.media_type,
        answer=shapes.Uploaded,
        public=True,
    )
    def post(self, request: HttpRequest) -> HttpResponse:
        """Answer 1 with the name that the sign-up gives back."""
        fields = self.validated(shapes.Upload)
        UploadLinkLimit().check(fields["token"])
        name = store_certificate(
            token=fields["token"],
            email=fields["email"],
            file=fields["certificate_files"],
            now=timezone.now(),
        )
        return ok(file_name=name)


class SignUpView(PublicView):
    """The registration form, sent."""

    throttle_classes = (SignUpLimit,)

    @call("sign_up", request=shapes.SignUp, answer=Success, public=True)
    def post(self, request: HttpRequest) -> HttpResponse:
        """Answer 1, or -1 for an address that is subscribed."""
        form = self.validated(shapes.SignUp)
        sign_up(token=form.pop("token"), form=form, now=timezone.now())
        return ok()


class ResetPasswordView(PublicView):
    """A new password, by the link that staff had mailed."""

    throttle_classes = (ResetLimit,)

    @call("reset_password", request=shapes.ResetPassword, answer=Success, public=True)
    def post(self, request: HttpRequest) -> HttpResponse:
        """**+** Answer 1 once the password is changed and every sign-in has ended."""
        fields = self.validated(shapes.ResetPassword)
        reset_password(
            token=fields["token"],
            password=fields["password"],
            confirmation=fields["passwordConfirm"],
            now=timezone.now(),
        )
        return ok()


class InvitationView(PublicView):
    """An invitation, by its mailed link."""

    throttle_classes = (InvitationLimit,)

    @call(
        "invitation",
        answer=shapes.Invitation,
        parameters=[path_text("token", "The token of the mailed link.")],
        public=True,
    )
    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        """**+** Answer 1 with whom it is for, -1 for a link that is not good any more."""
        invitation = open_invitation(token=token, now=timezone.now())
        if invitation is None:
            return json_response({"success": -1})
        user = invitation.user
        person = {"email": user.email, "manager": user.manager, "company": str(user.company)}
        return ok(**person)


class AcceptInvitationView(PublicView):
    """The first password of somebody who was invited."""

    throttle_classes = (InvitationLimit,)

    @call(
        "accept_invitation",
        request=shapes.AcceptedInvitation,
        answer=SignedIn,
        public=True,
    )
    def post(self, request: HttpRequest) -> HttpResponse:
        """**+** Answer 1 with token and user once the password is set."""
        fields = self.validated(shapes.AcceptedInvitation)
        signed_in = accept_invitation(
            request=request,
            token=fields["token"],
            password=fields["password"],
            confirmation=fields["passwordConfirm"],
            terms=fields["terms"],
            terms_version=fields["terms_version"],
            now=timezone.now(),
        )
        return ok(token=signed_in.token, user=signed_in.user)
