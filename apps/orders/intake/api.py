"""The calls of lists, with their bodies and answers: reviewed, in hand, put into the basket, given
back; and of item codes.
"""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from apps.accounts.api.identity import BuyerRequest
from apps.catalog.api.serializers import MAX_SKU, Product
from apps.common.http.api import PortalView, id_or_404, uuid_or_404
from apps.common.http.renderers import ok
from apps.common.http.schema import call
from apps.common.http.serializers import MAX_COUNT, Answer, Success, TextField, validate
from apps.common.http.throttles import MINUTE, SignedInLimit
from apps.common.storage.files import XLSX
from apps.common.storage.uploads import OneFileParser
from apps.common.tables.cells import MARKS
from apps.orders.errors import OrderListTooLarge
from apps.orders.intake.answer import keep_sheet
from apps.orders.intake.lists import decide, open_list, review_choice, send_list, use_list
from apps.orders.intake.memory import forget_own_code, learn, own_codes
from apps.orders.intake.review import COLUMNS_SHOWN, PROBLEMS
from apps.orders.intake.rows import MAX_UNIT
from apps.orders.intake.table import ASKS, MAX_CARTON
from apps.orders.intake.words import KINDS
from apps.orders.intake.workbook import MAX_BYTES, MAX_ROWS
from apps.orders.models.lists import MAX_OWN_CODE

MAX_TABS, MAX_FIX, MAX_WHY = 100, 120, 200
MAX_ROW = 2**31 - 1


class ListUpload(serializers.Serializer):
    """A list of products and quantities: .xlsx or .csv, or a text (.txt) with a line for each;
    without one, the list in hand is read anew.

    `columns` is a `SaidColumns`, or one for each tab whose columns the buyer names, as JSON: they
    are remembered. `tab` is the one to read.
    """

    list = serializers.FileField(required=False)
    tab = serializers.IntegerField(min_value=0, max_value=MAX_TABS, required=False)
    columns = serializers.JSONField(
        binary=True, required=False, help_text="what the buyer says of columns"
    )


class SaidColumns(serializers.Serializer):
    """What each column of a tab holds, empty for what is left out; `tab` and `head` are as the
    review had them. Several of pieces are added up. `decimal` is what begins decimals.
    """

    tab = serializers.IntegerField(min_value=0, max_value=MAX_TABS)
    head = serializers.IntegerField(min_value=0, max_value=MAX_ROW)
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=KINDS, allow_blank=True), max_length=256
    )
    carton = serializers.IntegerField(min_value=0, max_value=MAX_CARTON, default=0)
    decimal = serializers.ChoiceField(choices=MARKS, allow_blank=True, default="")


class SaidTabs(serializers.Serializer):
    """The columns of several tabs."""

    columns = serializers.ListField(child=SaidColumns(), max_length=MAX_TABS)

    def to_internal_value(self, data: Any) -> Any:
        """Take the columns of one tab as they are."""
        if isinstance(data["columns"], dict):
            data = {"columns": [data["columns"]]}
        return super().to_internal_value(data)


class Fix(Answer):
    """What a button beside a problem does to its line: sets its pieces, or accepts it as it is
    (null).
    """

    text: str
    count: int | None


class LineProblem(Answer):
    """Why a line cannot be ordered as it stands, with the fixes that there are, the nearest
    first.
    """

    code = serializers.ChoiceField(choices=PROBLEMS)
    text: str
    fixes: list[Fix]


class CandidateProduct(Answer):
    """A product that the buyer's words may mean, why, and which of its words agree, in small
    letters.
    """

    product: Product
    why: str
    agreeing: list[str]


class ReviewedLine(Answer):
    """A product of the list: the first row that names it, what it is called there, its product and
    its pieces. A row whose product is asked is a line of its own.
    """

    row: int
    rows: Annotated[list[int], "all rows that name it"]
    sku: str
    own_code: Annotated[str, "what the company calls it in the list, else empty"]
    product: Product | None
    count: int
    problems: list[LineProblem]
    words: Annotated[str, "the row's words where its product is asked"]
    called: Annotated[str, "by what the product that is chosen is remembered; empty: by nothing"]
    packs: Annotated[int, "cartons that its rows ask for, else 0"]
    unit: Annotated[str, "what they are called, else empty"]
    candidates: Annotated[list[CandidateProduct], "which product may be meant, the likeliest first"]


class SheetRow(Answer):
    """A row of a sheet, as texts."""

    row: int
    cells = serializers.ListField(child=serializers.CharField(allow_blank=True))


class NumberReading(Answer):
    """What the numbers of a column are if `decimal` begins decimals: one of them, and all
    together.
    """

    decimal = serializers.ChoiceField(choices=MARKS)
    sample: str
    total: Decimal


class QuantityChoice(Answer):
    """Columns that may be what is ordered, several added up, and what that makes in words."""

    columns: list[int]
    text: str


class SheetColumns(serializers.Serializer):
    """A tab of a sheet: its first rows, what is thought of each column (empty: asked), and what is
    asked first.

    `asks` is `columns` (which is what), `quantity` (which of the `choices` holds it), `number`
    (which of the `readings`), `carton` (how many pieces are in one), or empty. `looks_like` says
    so of a table with numbers in many columns, `why` why a tab is not read.
    """

    tab = serializers.IntegerField()
    name = serializers.CharField()
    head = serializers.IntegerField(help_text="the row of its headings, 0: none")
    count = serializers.IntegerField(help_text="rows with anything in them")
    rows = SheetRow(many=True)
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=KINDS, allow_blank=True), max_length=COLUMNS_SHOWN
    )
    carton = serializers.IntegerField(help_text="pieces in a carton, 0: asked at each row")
    asks = serializers.ChoiceField(choices=ASKS, allow_blank=True)
    looks_like = serializers.CharField(help_text="else empty")
    choices = QuantityChoice(many=True)
    readings = NumberReading(many=True)
    is_remembered = serializers.BooleanField()
    is_read = serializers.BooleanField(help_text="this tab's rows are the review's")
    is_proposed = serializers.BooleanField(help_text="it is read where no tab is named")
    why = serializers.CharField(help_text="**+**")


class PassedRow(Answer):
    """A row of the list that is no line of the order: what stands there, and why."""

    row: int
    text: str
    why: str


class PassedWhy(Answer):
    """How many rows are no lines of the order for the same reason."""

    why: str
    rows: int


class ReplacedList(Answer):
    """A list that was in hand until another took its place."""

    uuid: UUID
    name: str
    sent_at: datetime
    decided: Annotated[int, "lines that the buyer had decided about"]
    rows: int
    pasted_by: str


class ListReview(Success):
    """The list as it would be ordered. Each row of the tab that is read stands in a line or was
    passed over.
    """

    list: Annotated[UUID | None, "of the list in hand; null: it could not be kept"]
    replaced: Annotated[ReplacedList | None, "an unfinished list whose place this one took"]
    tab: Annotated[int, "that was read"]
    lines = ReviewedLine(many=True)
    without_quantity: Annotated[int, "rows that were passed over"]
    columns = SheetColumns(
        many=True, help_text="the tabs of a sheet, none of a text with one column"
    )
    passed = PassedRow(
        many=True, help_text="rows that were passed over: of each reason the first 300"
    )
    passed_why = PassedWhy(
        many=True, help_text="how many were for which reason, the commonest first"
    )


class ListInHand(ReplacedList):
    """The list that the buyer has sent and not put into the basket yet; `pasted_by` of the seller's
    staff, else empty.
    """


class LineDecision(serializers.Serializer):
    """What the buyer has decided about a line of the review, by its row.

    `sku` and `count` are the product that was chosen and its pieces; `fixed` are the problems that
    are settled, each with the text of the fix that was taken.
    """

    class Fixed(serializers.Serializer):
        """A problem and the fix that was taken."""

        code = serializers.ChoiceField(choices=PROBLEMS)
        fix = TextField(max_length=MAX_FIX, default="")

    row = serializers.IntegerField(min_value=1, max_value=MAX_ROW)
    out = serializers.BooleanField(default=False)
    wished = serializers.BooleanField(default=False, help_text="left out, and kept as a wish")
    sku = TextField(max_length=MAX_SKU, default="")
    count = serializers.IntegerField(min_value=0, max_value=MAX_COUNT, default=0)
    fixed = serializers.ListField(child=Fixed(), max_length=len(PROBLEMS), default=[])


class LineDecisions(serializers.Serializer):
    """All decisions about the list in hand so far, in place of those that were sent before; at most
    256 KB.
    """

    uuid = TextField(max_length=36)
    decisions = serializers.ListField(child=LineDecision(), max_length=MAX_ROWS)


class ListUse(serializers.Serializer):
    """Which review uses a list up: `key` is a UUID that the caller makes once, and repeats while it
    has no answer.
    """

    uuid = TextField(max_length=36)
    key = serializers.UUIDField()


class OpenedList(Success):
    """The list in hand with its review by today's products, prices and stock; null without one.

    `chosen` are the lines whose product the buyer has chosen, each as it would be ordered by
    itself.
    """

    list: ListInHand | None
    review: ListReview | None
    decisions = LineDecision(many=True)
    chosen = ReviewedLine(many=True)


class RowAnswer(serializers.Serializer):
    """What rows of the sheet became: a SKU and its pieces in the basket, and why there are none or
    others.
    """

    rows = serializers.ListField(
        child=serializers.IntegerField(min_value=1), min_length=1, max_length=MAX_ROWS
    )
    sku = TextField(max_length=MAX_SKU, default="")
    count = serializers.IntegerField(min_value=0, max_value=MAX_COUNT)
    why = TextField(max_length=MAX_WHY, default="")


class SheetUpload(serializers.Serializer):
    """The sheet as it was reviewed (.xlsx or .csv), and a `RowAnswer` for each line of the review,
    as JSON.

    In place of the file, `uuid` names the list in hand.
    """

    list = serializers.FileField(required=False)
    uuid = serializers.UUIDField(required=False, help_text="of the list in hand")
    answers = serializers.JSONField(binary=True)


class RowAnswers(serializers.Serializer):
    """The answers of all lines."""

    answers = serializers.ListField(child=RowAnswer(), max_length=MAX_ROWS)


class OwnCodesQuery(serializers.Serializer):
    """Which page: `after` is the last answer's `next`."""

    search = TextField(max_length=100, default="")
    after = TextField(max_length=MAX_OWN_CODE, default="")


class OwnCodeRow(Answer):
    """What the company calls a product."""

    own_code_id: int
    code: str
    sku: str
    eng_name: str
    pieces: Annotated[int | None, "in a carton of it; null: a code of the product"]


class OwnCodes(Success):
    """A page of the company's codes by their letters; `next` goes into `?after=`."""

    codes: list[OwnCodeRow]
    next: str | None


class LearnedCode(serializers.Serializer):
    """A code of the company and the SKU that it means; `row` and `count` are those of the list's
    line.

    Without `remember` it is not kept: the line alone is reviewed anew with that product. Of a line
    with cartons (`packs`, `unit`) it is kept, too, how many pieces are in one, where `count` says
    how many all are.
    """

    code = TextField(max_length=MAX_OWN_CODE)
    sku = TextField(max_length=MAX_SKU)
    row = serializers.IntegerField(default=1, min_value=1, max_value=MAX_ROW)
    count = serializers.IntegerField(default=0, min_value=0, max_value=MAX_COUNT)
    remember = serializers.BooleanField(default=True, help_text="false: keeps nothing")
    packs = serializers.IntegerField(default=0, min_value=0, max_value=MAX_COUNT)
    unit = TextField(max_length=MAX_UNIT, default="")


class LearnedLine(Success):
    """The line as it would be ordered now."""

    line: ReviewedLine


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
        request=ListUpload,
        media_type=OrderListParser.media_type,
        answer=ListReview,
    )
    def post(self, request: BuyerRequest) -> HttpResponse:
        """**+** Answer each product of the list with its problems, and keep it as list in hand."""
        fields = self.validated(ListUpload)
        mappings = validate(SaidTabs, {"columns": fields.get("columns") or []})["columns"]
        stored, review, replaced = send_list(
            buyer=request.user,
            file=fields.get("list"),
            tab=fields.get("tab"),
            columns=mappings,
            now=timezone.now(),
        )
        uuid = stored and str(stored.uuid)
        return ok(list=uuid, replaced=replaced, **review)


class ListInHandView(PortalView):
    """GET, PUT and POST /basket/list."""

    throttle_classes = (SignedInLimit, ListReviewLimit)

    @call("list_in_hand", answer=OpenedList, refusals=[400])
    def get(self, request: BuyerRequest) -> HttpResponse:
        """**+** Answer the list that the buyer has in hand, reviewed as of now, with what was
        decided so far. It is kept seven days.
        """
        return ok(**open_list(buyer=request.user, now=timezone.now()))

    @call("decide_list", request=LineDecisions, answer=Success)
    def put(self, request: BuyerRequest) -> HttpResponse:
        """**+** Keep what the buyer has decided of its lines so far."""
        fields = self.validated(LineDecisions)
        uuid = uuid_or_404(fields.pop("uuid"))
        decide(buyer=request.user, uuid=uuid, now=timezone.now(), **fields)
        return ok()

    @call("use_list", request=ListUse, answer=Success, refusals=[410])
    def post(self, request: BuyerRequest) -> HttpResponse:
        """**+** Use the list up, before its lines are put into the basket: they are put once,
        whoever opens it again.
        """
        fields = self.validated(ListUse)
        uuid = uuid_or_404(fields.pop("uuid"))
        use_list(buyer=request.user, uuid=uuid, now=timezone.now(), **fields)
        return ok()


class SheetView(PortalView):
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
        """**+** Keep the sheet for the order that comes of it, and answer it with columns added at
        its right.
        """
        fields = self.validated(SheetUpload)
        answers = validate(RowAnswers, {"answers": fields["answers"]})["answers"]
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
        answer=OwnCodes,
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
        query: dict[str, Any] = validate(OwnCodesQuery, request.GET.dict())
        return ok(**own_codes(buyer=request.user, **query))

    @call("learn_own_code", request=LearnedCode, answer=LearnedLine)
    def post(self, request: BuyerRequest) -> HttpResponse:
        """**+** Keep what the company calls a product, and review the line that has it anew."""
        fields, now = self.validated(LearnedCode), timezone.now()
        row, remember = fields.pop("row"), fields.pop("remember")
        if remember:
            learn(buyer=request.user, now=now, **fields)
        code = fields.pop("code").upper()
        own_code = code if remember else ""
        line = review_choice(buyer=request.user, row=row, own_code=own_code, now=now, **fields)
        return ok(line=line)


class OwnCodeView(PortalView):
    """DELETE /account/own-codes/{own_code_id}."""

    @call("forget_own_code", answer=Success)
    def delete(self, request: BuyerRequest, own_code_id: str) -> HttpResponse:
        """**+** Forget what the company calls a product."""
        forget_own_code(buyer=request.user, own_code_id=id_or_404(own_code_id))
        return ok()
