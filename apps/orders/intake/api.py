"""The calls of lists: reviewed, in hand, put into the basket, given back; and of item codes."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from apps.accounts.api.identity import BuyerRequest
from apps.common.http.api import PortalView, id_or_404, uuid_or_404
from apps.common.http.renderers import ok
from apps.common.http.schema import call
from apps.common.http.serializers import Success, validate
from apps.common.http.throttles import MINUTE, SignedInLimit
from apps.common.storage.files import XLSX
from apps.common.storage.uploads import OneFileParser
from apps.orders.errors import OrderListTooLarge
from apps.orders.intake import shapes
from apps.orders.intake.answer import keep_sheet
from apps.orders.intake.lists import decide, open_list, review_chosen, send_list, use_list
from apps.orders.intake.memory import forget_own_code, learn, own_codes
from apps.orders.intake.workbook import MAX_BYTES


class ListReviewLimit(SignedInLimit):
    """Lists to read: 20 a minute for each buyer, as each is opened in a process of its own."""

    name, uses, seconds = "list-review", 20, MINUTE


class OrderListParser(OneFileParser):
    """Reads the list."""

    field, max_bytes, too_large = "list", MAX_BYTES, OrderListTooLarge


class BasketReviewView(PortalView):
    """POST /basket/review."""

    parser_classes = (OrderListParser,)
    throttle_classes = (SignedInLimit, ListReviewLimit)

    @call(
        "basket_review",
        request=shapes.ListUpload,
        media_type=OrderListParser.media_type,
        answer=shapes.ListReview,
    )
    def post(self, request: BuyerRequest) -> HttpResponse:
        """**+** Answer each product of the list with its problems, and keep it as list in hand."""
        fields = self.validated(shapes.ListUpload)
        mappings = validate(shapes.SaidTabs, {"columns": fields.get("columns") or []})["columns"]
        kept, review, replaced = send_list(
            buyer=request.user,
            file=fields.get("list"),
            tab=fields.get("tab"),
            columns=mappings,
            now=timezone.now(),
        )
        uuid = kept and str(kept.uuid)
        return ok(list=uuid, replaced=replaced, **review)


class ListInHandView(PortalView):
    """GET, PUT and POST /basket/list."""

    throttle_classes = (SignedInLimit, ListReviewLimit)

    @call("list_in_hand", answer=shapes.OpenedList, refusals=[400])
    def get(self, request: BuyerRequest) -> HttpResponse:
        """**+** Answer the list that the buyer has in hand, reviewed as of now, with what was
        decided so far. It is kept seven days.
        """
        return ok(**open_list(buyer=request.user, now=timezone.now()))

    @call("decide_list", request=shapes.LineDecisions, answer=Success)
    def put(self, request: BuyerRequest) -> HttpResponse:
        """**+** Keep what the buyer has decided of its lines so far."""
        fields = self.validated(shapes.LineDecisions)
        uuid = uuid_or_404(fields.pop("uuid"))
        decide(buyer=request.user, uuid=uuid, now=timezone.now(), **fields)
        return ok()

    @call("use_list", request=shapes.ListUse, answer=Success, refusals=[410])
    def post(self, request: BuyerRequest) -> HttpResponse:
        """**+** Use the list up, before its lines are put into the basket: they are put once,
        whoever opens it again.
        """
        fields = self.validated(shapes.ListUse)
        uuid = uuid_or_404(fields.pop("uuid"))
        use_list(buyer=request.user, uuid=uuid, now=timezone.now(), **fields)
        return ok()


class SheetView(PortalView):
    """POST /basket/sheet."""

    parser_classes = (OrderListParser,)
    throttle_classes = (SignedInLimit, ListReviewLimit)

    @call(
        "keep_sheet",
        request=shapes.SheetUpload,
        media_type=OrderListParser.media_type,
        answer=Success,
        other={(200, XLSX): OpenApiTypes.BINARY},
    )
    def post(self, request: BuyerRequest) -> HttpResponse:
        """**+** Keep the sheet for the order that comes of it, and answer it with columns added at
        its right.
        """
        fields = self.validated(shapes.SheetUpload)
        answers = validate(shapes.RowAnswers, {"answers": fields["answers"]})["answers"]
        content = keep_sheet(
            buyer=request.user,
            file=fields.get("list"),
            uuid=fields.get("uuid"),
            answers=answers,
            now=timezone.now(),
        )
        return HttpResponse(content, content_type=XLSX)


class OwnCodesView(PortalView):
    """GET and POST /account/own-codes."""

    @call(
        "own_codes",
        answer=shapes.OwnCodes,
        refusals=[400],
        parameters=[
            OpenApiParameter(
                "search", str, description="words of a code, a SKU or a product's name"
            ),
            OpenApiParameter("after", str, description="the last answer's `next`"),
        ],
    )
    def get(self, request: BuyerRequest) -> HttpResponse:
        """**+** Return what the company calls products."""
        query: dict[str, Any] = validate(shapes.OwnCodesQuery, request.GET.dict())
        return ok(**own_codes(buyer=request.user, **query))

    @call("learn_own_code", request=shapes.LearnedCode, answer=shapes.LearnedLine)
    def post(self, request: BuyerRequest) -> HttpResponse:
        """**+** Keep what the company calls a product, and review the line that has it anew."""
        fields, now = self.validated(shapes.LearnedCode), timezone.now()
        row, remember = fields.pop("row"), fields.pop("remember")
        if remember:
            learn(buyer=request.user, now=now, **fields)
        code = fields.pop("code").strip().upper()
        own_code = code if remember else ""
        line = review_chosen(buyer=request.user, row=row, own_code=own_code, now=now, **fields)
        return ok(line=line)


class OwnCodeView(PortalView):
    """DELETE /account/own-codes/{own_code_id}."""

    @call("forget_own_code", answer=Success)
    def delete(self, request: BuyerRequest, own_code_id: str) -> HttpResponse:
        """**+** Forget what the company calls a product."""
        forget_own_code(buyer=request.user, own_code_id=id_or_404(own_code_id))
        return ok()
