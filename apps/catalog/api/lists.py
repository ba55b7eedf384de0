"""The calls of a buyer's lists: sent, in hand, opened again, put into the basket, dropped."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from rest_framework import serializers

from apps.accounts.api.identity import BuyerRequest
from apps.catalog import models
from apps.catalog.api import serializers as shapes
from apps.catalog.api.throttles import ListReviewLimit
from apps.catalog.errors import OrderListTooLarge
from apps.catalog.lists.columns import Said, said_of_json
from apps.catalog.lists.order_list import MAX_BYTES
from apps.catalog.review.problems import PROBLEMS
from apps.catalog.services.list_layouts import check_said
from apps.catalog.services.lists_in_hand import (
    State,
    decide,
    drop_list,
    lists_in_hand,
    open_list,
    send_list,
    use_list,
)
from apps.common.http.api import PortalView, uuid_or_404
from apps.common.http.renderers import json_response
from apps.common.http.schema import call, path_text
from apps.common.http.serializers import MAX_COUNT, MAX_LINES, Success, TextField, validate
from apps.common.http.throttles import SignedInLimit
from apps.common.storage.uploads import OneFileParser
from apps.common.types import Json

MAX_FIX = 120
MAX_FIXES = len(PROBLEMS)


class ListInHand(serializers.Serializer):
    """A list that was sent and is not in the basket yet.

    `state` is `waiting`, `reading` (`rows_read` of about `rows`), `looking_up` (its products),
    `ready`, or `refused`; `remark` says why it was refused, or why it could not be read as was said
    of its columns last.
    """

    uuid = serializers.UUIDField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=State.values)
    rows_read = serializers.IntegerField()
    rows = serializers.IntegerField()
    remark = serializers.CharField()
    sent_at = serializers.DateTimeField()
    decided = serializers.IntegerField(help_text="lines that the buyer has decided about")


class ListsInHand(serializers.Serializer):
    """The buyer's lists in hand, the newest first."""

    success = serializers.IntegerField()
    lists = ListInHand(many=True)


class ListToCome(serializers.Serializer):
    """A long list: its review is ready later, or refused."""

    success = serializers.IntegerField()
    list = ListInHand()


class LineDecision(serializers.Serializer):
    """What the buyer has decided about a line of the review, by its row.

    `sku` and `count` are the product that was chosen and its pieces; `fixed` are the problems that
    are settled, each with the text of the fix that was taken.
    """

    class Fixed(serializers.Serializer):
        """A problem and the fix that was taken."""

        code = serializers.ChoiceField(choices=PROBLEMS)
        fix = TextField(max_length=MAX_FIX, required=False, default="")

    row = serializers.IntegerField(min_value=1, max_value=2**31 - 1)
    out = serializers.BooleanField(required=False, default=False)
    wished = serializers.BooleanField(
        required=False, default=False, help_text="left out, and kept as a wish"
    )
    sku = TextField(max_length=shapes.MAX_SKU, required=False, default="")
    count = serializers.IntegerField(min_value=0, max_value=MAX_COUNT, required=False, default=0)
    fixed = serializers.ListField(child=Fixed(), max_length=MAX_FIXES, required=False, default=[])


class LineDecisions(serializers.Serializer):
    """All decisions about a list so far, in place of those that were sent before; at
    most 256 KB.
    """

    decisions = serializers.ListField(child=LineDecision(), max_length=MAX_LINES)


class OpenedList(serializers.Serializer):
    """A list in hand with its review by today's products, prices and stock, once it is ready.

    `chosen` are the lines whose product the buyer has chosen, each as it would be ordered by
    itself.
    """

    success = serializers.IntegerField()
    list = ListInHand()
    review = shapes.ListReview(allow_null=True)
    decisions = LineDecision(many=True)
    chosen = shapes.ReviewedLine(many=True)


class OrderListParser(OneFileParser):
    """Reads the list."""

    field, max_bytes, too_large = "list", MAX_BYTES, OrderListTooLarge


class BasketReviewView(PortalView):
    """A list of SKUs and quantities, before it becomes a basket."""

    parser_classes = (OrderListParser,)
    throttle_classes = (SignedInLimit, ListReviewLimit)

    @call(
        "basket_review",
        request=shapes.ListUpload,
        media_type=OrderListParser.media_type,
        answer=shapes.ListReview,
        refusals=[410],
        other={(202, "application/json"): ListToCome},
    )
    def post(self, request: BuyerRequest) -> HttpResponse:
        """Answer each SKU of the list with its product and its problems; a long list is read in the
        background.
        """
        fields = self.validated(shapes.ListUpload)
        uuid, file, now = fields.get("uuid"), fields.get("list"), timezone.now()
        kept, review = send_list(
            buyer=request.user, uuid=uuid, file=file, said=_said(fields), now=now
        )
        if kept and review is None:
            return json_response({"success": 1, "list": _json_of(kept)}, 202)
        return json_response(_with_success(review, kept))


class ListsView(PortalView):
    """GET /basket/lists."""

    @call("lists_in_hand", answer=ListsInHand)
    def get(self, request: BuyerRequest) -> HttpResponse:
        """Answer the lists that the buyer has sent and not put into the basket yet; they are kept
        seven days.
        """
        return json_response(
            {"success": 1, "lists": [_json_of(kept) for kept in lists_in_hand(request.user)]}
        )


class ListView(PortalView):
    """A list in hand."""

    @call(
        "list_in_hand", answer=OpenedList, refusals=[400, 410], parameters=[path_text("list_uuid")]
    )
    def get(self, request: BuyerRequest, list_uuid: str) -> HttpResponse:
        """Answer how far a list is, and once it is ready its review with what was
        decided so far.
        """
        opened = open_list(buyer=request.user, uuid=uuid_or_404(list_uuid), now=timezone.now())
        review = opened.review and _with_success(opened.review, opened.kept)
        decisions = opened.kept.decisions
        answer = {
            "list": _json_of(opened.kept),
            "review": review,
            "decisions": decisions,
            "chosen": opened.chosen,
        }
        return json_response({"success": 1, **answer})

    @call(
        "use_list",
        request=shapes.ReviewUse,
        answer=Success,
        refusals=[410],
        parameters=[path_text("list_uuid")],
    )
    def post(self, request: BuyerRequest, list_uuid: str) -> HttpResponse:
        """Use a list up, before its lines are put into the basket: they are put once, whoever opens
        it again.
        """
        key = self.validated(shapes.ReviewUse)["key"]
        use_list(buyer=request.user, uuid=uuid_or_404(list_uuid), key=key, now=timezone.now())
        return json_response({"success": 1})

    @call("decide_list", request=LineDecisions, answer=Success, parameters=[path_text("list_uuid")])
    def put(self, request: BuyerRequest, list_uuid: str) -> HttpResponse:
        """Keep what the buyer has decided of its lines so far."""
        decisions = self.validated(LineDecisions)["decisions"]
        decide(
            buyer=request.user, uuid=uuid_or_404(list_uuid), decisions=decisions, now=timezone.now()
        )
        return json_response({"success": 1})

    @call("drop_list", answer=Success, parameters=[path_text("list_uuid")])
    def delete(self, request: BuyerRequest, list_uuid: str) -> HttpResponse:
        """Drop a list: it is not wanted, or its lines are in the basket."""
        drop_list(buyer=request.user, uuid=uuid_or_404(list_uuid))
        return json_response({"success": 1})


def _with_success(review: Json | None, kept: models.ListInHand | None) -> Json:
    return {"success": 1, **(review or {}), "list": kept and str(kept.uuid)}


def _json_of(kept: models.ListInHand) -> Json:
    return {
        "uuid": str(kept.uuid),
        "name": kept.name,
        "state": kept.state,
        "rows_read": min(kept.rows_read, kept.rows),
        "rows": kept.rows,
        "remark": kept.remark,
        "sent_at": timezone.localtime(kept.sent_at),
        "decided": kept.decided,
    }


def _said(fields: dict[str, Any]) -> list[Said]:
    """Return what the buyer says of columns.

    Raises:
        Invalid: it says nothing that a sheet can be read by.
    """
    given = validate(shapes.SaidTabs, {"columns": fields.get("columns") or []})["columns"]
    said = said_of_json(given)
    check_said(said)
    return said
