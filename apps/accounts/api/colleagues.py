"""The calls of a company's people."""

from typing import Annotated

from django.db.models import Q
from django.http import HttpResponse
from django.utils import timezone
from rest_framework import serializers

from apps.accounts.api.identity import BuyerRequest
from apps.accounts.api.registration_shapes import MAX_MANAGER
from apps.accounts.api.serializers import EmailField
from apps.accounts.models import User
from apps.accounts.services.colleagues import ask_for_colleague, asked_for
from apps.common.http.api import PortalView
from apps.common.http.renderers import ok
from apps.common.http.schema import call
from apps.common.http.serializers import Answer, Success, TextField
from apps.common.printed import PRINTED

MOST_SHOWN = 200


class NewColleague(serializers.Serializer):
    """Who is to order for the company too."""

    manager = TextField(max_length=MAX_MANAGER, help_text=PRINTED)
    email = EmailField()

    def validate_email(self, value: str) -> str:
        """Refuse none."""
        if not value:
            raise serializers.ValidationError("This field may not be blank.")
        return value


class Colleague(Answer):
    """Somebody of the company."""

    manager: str
    email: str
    is_waiting: Annotated[bool, "whether staff have yet to approve"]


class Colleagues(Success):
    """The people of the company who may sign in, and those who were asked for, by name."""

    colleagues: list[Colleague]


class ColleaguesView(PortalView):
    """GET and POST /account/colleagues."""

    @call("colleagues", answer=Colleagues)
    def get(self, request: BuyerRequest) -> HttpResponse:
        """**+** Return the people of the caller's company."""
        company_id = request.user.company_id
        asked = asked_for(company_id).values("pk")
        inside = Q(approval=User.Approval.APPROVED, is_active=True) | Q(pk__in=asked)
        people = User.objects.filter(inside, company_id=company_id).order_by("manager", "pk")
        rows = people.values_list("manager", "email", "approval")[:MOST_SHOWN]
        colleagues = [
            {"manager": name, "email": email, "is_waiting": approval == User.Approval.PENDING}
            for name, email, approval in rows
        ]
        return ok(colleagues=colleagues)

    @call("ask_for_colleague", request=NewColleague, answer=Success)
    def post(self, request: BuyerRequest) -> HttpResponse:
        """**+** Ask staff to let a colleague in."""
        fields = self.validated(NewColleague)
        name, email = fields["manager"], fields["email"]
        ask_for_colleague(buyer=request.user, email=email, name=name, now=timezone.now())
        return ok()
