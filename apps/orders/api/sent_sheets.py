"""The call that gives a buyer's own sheet back with its answers."""

from django.core.files.base import File
from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers

from apps.accounts.api.identity import BuyerRequest
from apps.catalog.api.lists import OrderListParser
from apps.catalog.api.serializers import MAX_SKU
from apps.catalog.api.throttles import ListReviewLimit, check_long_list
from apps.catalog.lists.order_list import MAX_ASKED
from apps.catalog.services.lists_in_hand import kept_sheet
from apps.common.http.api import PortalView, uuid_or_404
from apps.common.http.renderers import json_response
from apps.common.http.schema import call
from apps.common.http.serializers import MAX_COUNT, MAX_LINES, Success, TextField, validate
from apps.common.http.throttles import SignedInLimit
from apps.common.storage.files import XLSX
from apps.orders import services
from apps.orders.services.sent_sheets import MAX_WHY


class RowAnswer(serializers.Serializer):
    """What rows of the sheet became: a SKU and its pieces in the basket, and why there are none or
    others.
    """

    rows = serializers.ListField(
        child=serializers.IntegerField(min_value=1), min_length=1, max_length=MAX_ASKED
    )
    sku = TextField(max_length=MAX_SKU, required=False, default="")
    count = serializers.IntegerField(min_value=0, max_value=MAX_COUNT)
    why = TextField(max_length=MAX_WHY, required=False, default="")


class SheetUpload(serializers.Serializer):
    """The sheet as it was reviewed (.xlsx or .csv), and a `RowAnswer` for each line of the review,
    as JSON.

    In place of the file, `uuid` names a list in hand.
    """

    list = serializers.FileField(required=False)
    uuid = serializers.UUIDField(required=False, help_text="**+** of the list in hand")
    answers = serializers.JSONField(binary=True)


class RowAnswers(serializers.Serializer):
    """The answers of all lines."""

    answers = serializers.ListField(child=RowAnswer(), max_length=MAX_LINES)


class SheetToSee(RowAnswers):
    """A list in hand, and what its rows became."""

    uuid = TextField(max_length=100)


class SheetPreview(serializers.Serializer):
    """Some rows of a sheet as it would be given back: cells of its `own` beside those that are
    `added`.

    `head` is the row of its headings (0: none), whose own cells stand in `own`.
    """

    class SeenRow(serializers.Serializer):
        """A row by its number in the sheet."""

        row = serializers.IntegerField()
        own = serializers.ListField(child=serializers.CharField())
        added = serializers.ListField(child=serializers.CharField())

    success = serializers.IntegerField()
    head = serializers.IntegerField()
    own = serializers.ListField(child=serializers.CharField())
    added = serializers.ListField(child=serializers.CharField())
    rows = SeenRow(many=True)


class SentSheetView(PortalView):
    """POST /basket/sheet."""

    parser_classes = (OrderListParser,)
    throttle_classes = (SignedInLimit, ListReviewLimit)

    @call(
        "keep_sheet",
        request=SheetUpload,
        media_type=OrderListParser.media_type,
        answer=Success,
        other={(200, XLSX): OpenApiTypes.BINARY},
    )
    def post(self, request: BuyerRequest) -> HttpResponse:
        """Keep the sheet for the order that comes of it, and answer it with columns added at its
        right.
        """
        fields = self.validated(SheetUpload)
        answers = validate(RowAnswers, {"answers": fields["answers"]})["answers"]
        sent: File | None = fields.get("list")
        file, asked = (
            (sent, None) if sent else kept_sheet(buyer=request.user, uuid=fields.get("uuid"))
        )
        check_long_list(request, size=file.size)
        content = services.keep_sheet(
            buyer=request.user, file=file, answers=answers, now=timezone.now(), asked=asked
        )
        return HttpResponse(content, content_type=XLSX)


class SheetPreviewView(PortalView):
    """POST /basket/sheet/preview."""

    throttle_classes = (SignedInLimit, ListReviewLimit)

    @call("preview_sheet", request=SheetToSee, answer=SheetPreview)
    def post(self, request: BuyerRequest) -> HttpResponse:
        """Answer some rows of the sheet as it would be given back; nothing is kept."""
        fields = self.validated(SheetToSee)
        file, asked = kept_sheet(buyer=request.user, uuid=uuid_or_404(fields["uuid"]))
        answers, now = fields["answers"], timezone.now()
        seen = services.preview_sheet(
            buyer=request.user, file=file, answers=answers, now=now, asked=asked
        )
        return json_response({"success": 1, **seen})
