"""Bodies and answers of the orders' calls (api.md): the wire's names and nothing else."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated

from rest_framework import serializers

from apps.accounts.api.serializers import AddressEntry, ShipFields, Shipping
from apps.common.http.serializers import (
    MAX_LINES,
    Answer,
    CountField,
    FlagField,
    MoneyField,
    Success,
    TextField,
)
from apps.common.printed import PRINTED
from apps.common.tables.download import FORMATS
from apps.orders.models import MAX_PO_NUMBER
from apps.orders.selectors.lists import PAYMENTS
from apps.orders.selectors.progress import STEP_KINDS, TONE_NAMES, PaymentStatus

MAX_MEMO = 2_000
MAX_CODE = 40


class RequestedLine(serializers.Serializer):
    """A product and how many pieces of it."""

    sku = TextField(max_length=40)
    count = CountField()
    seen_price = MoneyField(
        required=False,
        help_text="**+** the unit price that the buyer was shown; another one now is refused with "
        "409 `price_changed` and `errors` {sku: [shown, now]}",
    )


class OrderRequest(Shipping):
    """A basket; the client's `count` and `total` are not read."""

    uuid = serializers.CharField(max_length=64)
    export_report = FlagField(default=False)
    product = serializers.ListField(child=RequestedLine(), max_length=MAX_LINES, default=list)


class UnfinishedRequest(Answer):
    """A request that was left before its checkout; `until` says how long its prices hold."""

    invoice_code: str
    build_date: date
    total: Decimal
    count: int
    until: str


class UnfinishedRequests(Success):
    """The caller's own, the newest first; at most 20."""

    result: list[UnfinishedRequest]


class InvoiceCode(serializers.Serializer):
    """The order or temporary order that is meant."""

    invoice_code = TextField(max_length=MAX_CODE, allow_blank=True)


class AddressChange(Shipping, InvoiceCode):
    """An order's new shipping address."""


class PoNumber(serializers.Serializer):
    """The buyer's own number of an order; empty takes it away."""

    po_number = TextField(max_length=MAX_PO_NUMBER, allow_blank=True, help_text=PRINTED)


class BuyerFileUpload(serializers.Serializer):
    """A file that the buyer gives with an order: PDF, JPEG or PNG, at most 5 MB."""

    file = serializers.FileField()


class GivenFile(Answer):
    """A file that the buyer gave with an order; `url` works for an hour."""

    name: str
    url: str


class CustomerMemo(serializers.Serializer):
    """A message to the seller."""

    customer_memo = TextField(max_length=MAX_MEMO, lines=True, default="")


class ShipMemo(serializers.Serializer):
    """A request for shipping."""

    ship_memo = TextField(max_length=MAX_MEMO, lines=True, default="")


class ConversationQuery(serializers.Serializer):
    """Which page: `before` is the last answer's `next`."""

    before = serializers.IntegerField(default=None, min_value=1, max_value=2**63 - 1)


class ConversationMessage(Answer):
    """What somebody wrote on an order; `kind` answer is the seller's, the others are
    the company's.
    """

    message_id: int
    kind = serializers.ChoiceField(choices=["message", "shipping", "answer"])
    at: datetime
    name: Annotated[str, "who wrote it"]
    is_own: Annotated[bool, "whether the caller wrote it"]
    text: str


class Conversation(Success):
    """A page of a conversation, the oldest first; the first page is the newest, `next` goes into
    `?before=`.
    """

    messages: list[ConversationMessage]
    unread: Annotated[int | None, "the newest answer, while nobody of the company has seen it"]
    next: str | None


class SeenAnswer(serializers.Serializer):
    """The answer that is seen, as `unread` of the conversation names it."""

    message_id = serializers.IntegerField(min_value=1, max_value=2**63 - 1)


class CodeAnswer(Success):
    """The code of what was made."""

    invoice_code: str


class FoundOrder(Success):
    """1 with the code, or -1 alone."""

    invoice_code = serializers.CharField(required=False)


class SkuCount(Answer):
    """A product and how many pieces were ordered."""

    sku: str
    count: int


class RecentOrder(Answer):
    """An earlier order, to order again."""

    invoice_code: str
    build_date: date
    total: Decimal
    count: int
    details: list[SkuCount]


class RecentOrders(Success):
    """The company's newest orders."""

    result: list[RecentOrder]


class OrderListItem(Answer):
    """An order in the list; `message` is its status."""

    order_id: int
    invoice_code: str
    message: str
    status_id: int
    build_date: date
    amount: Annotated[Decimal, "what the order comes to now, in US dollars"]
    pieces: Annotated[int, "as ordered"]
    po_number: Annotated[str, "the buyer's own number of it"]
    payment = serializers.ChoiceField(
        choices=[status.value for status in PaymentStatus if status], allow_blank=True
    )
    payment_tone = serializers.ChoiceField(choices=TONE_NAMES)
    answers: Annotated[str, "**+** what waits for the buyer: `3 answers by 24 Nov`, or empty"]


class OrderSumsQuery(serializers.Serializer):
    """Which orders of a tab; days are the seller's, both included."""

    search = TextField(max_length=100, default="")
    since = serializers.DateField(default=None)
    until = serializers.DateField(default=None)
    payment = serializers.CharField(max_length=100, default="")

    def validate_payment(self, names: str) -> tuple[str, ...]:
        """Return the choices that a text names, divided by commas."""
        payments = tuple(name for name in names.split(",") if name)
        if unknown := [name for name in payments if name not in PAYMENTS]:
            raise serializers.ValidationError(f"“{unknown[0]}” is not one of the choices.")
        return payments


class OrderListQuery(OrderSumsQuery):
    """Which orders, from which end and after which; or all of them as a file."""

    after = TextField(max_length=40, default="")
    sort = serializers.ChoiceField(choices=["newest", "oldest"], default="newest")
    format = serializers.ChoiceField(choices=list(FORMATS), default="")


class PaymentCount(Answer):
    """A choice of how the payment stands, and how many of the searched orders it holds."""

    payment = serializers.ChoiceField(choices=list(PAYMENTS))
    text: str
    orders: int


class OrderSums(Success):
    """How many orders are wanted, and the sum of their amounts in US dollars, without those that
    are cancelled.
    """

    orders: int
    cancelled: Annotated[int, "**+** how many of them are cancelled"]
    amount: Decimal
    payments: list[PaymentCount]


class OrderList(Success):
    """A page of orders, newest first; `next` goes into `?after=`."""

    orderList: list[OrderListItem]
    has_next: bool
    next: str | None


class HistoryItem(Answer):
    """When the order reached a status."""

    at: datetime
    message: str


class NextStepRow(Answer):
    """What a step's amount is made of, in US dollars; what came in or is kept has its minus."""

    text: str
    amount: Decimal
    note: Annotated[str, "**+** the days of a cancelled order's money, or nothing"]


class NextStep(Answer):
    """What is to be done now; `warn` is the buyer's own step. `amount` is what is to pay, in US
    dollars.
    """

    kind = serializers.ChoiceField(choices=STEP_KINDS)
    tone = serializers.ChoiceField(choices=TONE_NAMES)
    title: str
    text: str
    amount: Decimal | None
    rows: Annotated[list[NextStepRow], "**+** of a balance, and of a cancelled order's money"]


class TimelineStep(Answer):
    """A step of the order: the seller's day on which it was reached, and what was or is promised of
    it.
    """

    message: str
    at: str | None
    note: str
    tone = serializers.ChoiceField(choices=TONE_NAMES)


class AllowedNow(Answer):
    """What the buyer may do or see now."""

    edit_address: bool
    edit_ship_memo: bool
    message: bool
    documents: bool
    packing_list: bool
    tracking: bool
    checkout: bool
    edit_po_number: bool
    withdraw: bool
    ask_to_cancel: Annotated[bool, "**+** in place of `withdraw`, once paid"]


class OrderInformation(ShipFields):
    """An order as its buyer sees it."""

    order_id: int
    invoice_code: str
    build_date: date
    message: str
    status_id: int
    type: str
    memo: str
    count: int
    pieces: Annotated[int, "**+** of all lines as ordered"]
    total: Decimal
    real_total: Decimal
    deposit: Decimal
    shipping_fee: Decimal
    weight: int | None
    packing_status: int
    tracking_number: str | None
    shipping_url: str | None
    carrier: Annotated[str, "**+** who brings it; empty below 5, and where none is named"]
    expected_on: Annotated[date | None, "**+** when the parcel is expected; null below 5"]
    customer_memo: str
    ship_memo: str
    export_report: FlagField
    payment_type: str
    po_number: str
    former_number: Annotated[str, "of an order that moved in; else empty"]
    po_file: Annotated[GivenFile | None, "the file of the buyer's own order"]
    sheet: Annotated[GivenFile | None, "**+** the sheet that the order came of, answered"]
    email: str
    company: str
    tax_number: Annotated[str, "**+** the company's tax or EORI number, or empty"]
    country: str
    state: str
    packing_build_date: date | None
    packing_remarks: str
    packing_notify: str
    packing_terms: str
    packing_list_pdf: str | None
    balance_due: Decimal
    answers_needed: Annotated[int, "**+** proposals that wait for the buyer"]
    deposit_received: Decimal
    paid: Decimal
    credited: Annotated[Decimal, "**+** of what was received, what the wallet has got"]
    waived: Annotated[Decimal, "**+** what is not asked for any more"]
    payment_pending: bool
    weight_kg: float | None
    products_weight_kg: float
    history: list[HistoryItem]
    payment = serializers.ChoiceField(
        choices=[status.value for status in PaymentStatus if status], allow_blank=True
    )
    payment_tone = serializers.ChoiceField(choices=TONE_NAMES)
    next_step: NextStep
    timeline: list[TimelineStep]
    allowed: AllowedNow


class WaitingProposal(Answer):
    """What the seller proposes of a line, in words, and what accepting it adds in US dollars."""

    text: str
    difference: Decimal


class OrderDetail(Answer):
    """A line of an order."""

    order_product_id: int
    eng_name: str
    image: str
    images: Annotated[list[str], "**+** all pictures in their order; `image` first"]
    price: Decimal
    box_qty: int
    sku: str
    ean: Annotated[str | None, "**+** 8 or 13 digits; null where it is not known"]
    count: int
    order_price: Decimal
    is_true: FlagField
    comment: str
    weight: int
    proposal: Annotated[WaitingProposal | None, "**+** while it waits for the buyer's answer"]
    decided: Annotated[str, "**+** what was decided of its proposal, by whom, when; or empty"]
    tag = serializers.ChoiceField(choices=["Confirmed", "Not Confirmed", "Free offer"])


class OrderFile(Answer):
    """A document: `filename` is a signed name that works for an hour, `url` the whole address."""

    filename: str
    name: str
    url: str


class Box(Answer):
    """Boxes of one kind: weight in grams, sizes in cm."""

    box_id: int
    count: int
    weight: int
    length: float
    width: float
    height: float
    cbm: Annotated[float | None, "**+** cubic metres of all boxes of this kind"]


class BoxProduct(Answer):
    """A product in a box."""

    box_id: int
    eng_name: str
    qty: int
    packing_id: int


class OrderDetails(Success):
    """All about one order."""

    order: OrderInformation
    details: list[OrderDetail]
    total_weight: int
    fileList: list[OrderFile]
    box: list[Box]
    boxProduct: list[BoxProduct]
    packint_qty_total: int
    packint_weight_total: int
    packint_cbm_total: Annotated[float | None, "**+** cubic metres of all boxes"]


class AddressInfo(Answer):
    """The address and what may be chosen instead."""

    addressInfo: ShipFields
    countryList: list[AddressEntry]
    stateList: list[AddressEntry]


class OrderAddress(Success):
    """An order's shipping address."""

    info: AddressInfo
