"""GET /policy: the privacy policy and the terms of use, as they hold today."""

from dataclasses import asdict
from datetime import date

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from rest_framework.permissions import AllowAny

from apps.accounts.authentication import OptionalTokenAuthentication
from apps.common.http.api import PortalView
from apps.common.http.renderers import json_response
from apps.common.http.schema import call
from apps.common.http.serializers import Answer
from apps.common.http.throttles import SignedInLimit
from apps.common.policy import policy, with_anchors


class PolicyHeading(Answer):
    """A heading: its anchor in the text, its words, and 2 for a part or 3 for a section."""

    id: str
    title: str
    level: int


class PolicyText(Answer):
    """The version that holds; `html` is paragraphs, headings, lists, tables, emphasis and links."""

    number: int
    holds_from: date
    html: str
    contents: list[PolicyHeading]


class PolicyView(PortalView):
    """The policy."""

    authentication_classes = (OptionalTokenAuthentication,)
    permission_classes = (AllowAny,)
    throttle_classes = (SignedInLimit,)

    @call("policy", answer=PolicyText, public=True)
    def get(self, request: HttpRequest) -> HttpResponse:
        """**+** Answer the version that holds today."""
        version = policy(timezone.now())
        html, headings = with_anchors(version.html)
        return json_response(
            {
                "number": version.number,
                "holds_from": version.holds_from.isoformat(),
                "html": html,
                "contents": [asdict(heading) for heading in headings],
            }
        )
