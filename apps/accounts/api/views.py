"""The calls of the session and of addresses."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from rest_framework.permissions import AllowAny
from rest_framework.throttling import BaseThrottle

from apps.accounts.api import serializers as shapes
from apps.accounts.api.identity import BuyerRequest, own_company_or_404
from apps.accounts.api.throttles import PasswordLimit, PublicLimit
from apps.accounts.selectors import address_book
from apps.accounts.services.passwords import change_password
from apps.accounts.services.sessions import renew, sign_in
from apps.common.http.api import PortalView
from apps.common.http.renderers import json_response, ok
from apps.common.http.schema import call, path_text
from apps.common.http.serializers import validate


class PublicView(PortalView):
    """A call for everybody: a token is not asked for and not looked at."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes: Sequence[type[BaseThrottle]] = (PublicLimit,)


class LoginView(PublicView):
    """Sign-in."""

    @call("login", request=shapes.Login, answer=shapes.SignedIn, public=True)
    def post(self, request: HttpRequest) -> HttpResponse:
        """Answer 1 with token and user, -1 or -2."""
        fields = self.validated(shapes.Login)
        signed_in = sign_in(request=request, now=timezone.now(), **fields)
        return ok(token=signed_in.token, user=signed_in.user)


class CheckView(PublicView):
    """Renewal of the stored token."""

    @call("check", request=shapes.Check, answer=shapes.SignedIn, public=True)
    def post(self, request: HttpRequest) -> HttpResponse:
        """Answer 1 with a fresh token and the user; -1 for anything that is not a good token."""
        fields = self.validated(shapes.Check)
        signed_in = renew(token=fields["token"], now=timezone.now())
        return ok(token=signed_in.token, user=signed_in.user)


class PasswordView(PortalView):
    """The caller's password."""

    throttle_classes = (*PortalView.throttle_classes, PasswordLimit)

    @call(
        "change_password",
        request=shapes.NewPassword,
        answer=shapes.PasswordChanged,
        parameters=[path_text("company_id", "The caller's company.")],
    )
    def put(self, request: BuyerRequest, company_id: str) -> HttpResponse:
        """Answer 1 with the token that goes on."""
        body = self.data
        own_company_or_404(buyer=request.user, company_id=company_id)
        fields = validate(shapes.NewPassword, body)
        own_company_or_404(buyer=request.user, company_id=fields["company_id"])
        token = change_password(
            buyer=request.user,
            token=request.auth,
            password=fields["password"],
            confirmation=fields["passwordConfirm"],
            now=timezone.now(),
        )
        return ok(token=token)


class FindStateView(PublicView):
    """The states of a country."""

    @call("find_state", request=shapes.FindState, answer=shapes.StateList, public=True)
    def post(self, request: HttpRequest) -> HttpResponse:
        """Answer the states by name; none for a country without any, or an unknown one."""
        fields = self.validated(shapes.FindState)
        states = address_book.states(fields["address_id"])
        return json_response(
            {"success": 1, "stateList": shapes.AddressEntry(states, many=True).data}
        )
