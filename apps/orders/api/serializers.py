"""Bodies and answers of the orders' calls (api.md): the wire's names and nothing else."""

from rest_framework import serializers

from apps.accounts.api.serializers import AddressEntry, ShipFields, Shipping
from apps.common.http.serializers import (
    MAX_LINES,
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

    sku = TextField(max_length=40, allow_blank=False)
    count = CountField()
    seen_price = MoneyField(
        required=False,
        help_text="**+** the unit price that the buyer was shown; another one now is refused with "
        "409 `price_changed` and `errors` {sku: [shown, now]}",
    )


class OrderRequest(Shipping):
    """A basket; the client's `count` and `total` are not read."""

    uuid = serializers.CharField(max_length=64)
    export_report = FlagField(required=False, default=False)
    product = serializers.ListField(
        child=RequestedLine(), max_length=MAX_LINES, required=False, default=list
    )


class UnfinishedRequest(serializers.Serializer):
    """A request that was left before its checkout; `until` says how long its prices hold."""

    invoice_code = serializers.CharField()
    build_date = serializers.DateField()
    total = MoneyField()
    count = serializers.IntegerField()
    until = serializers.CharField()


class UnfinishedRequests(Success):
    """The caller's own, the newest first; at most 20."""

    result = UnfinishedRequest(many=True)


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


class GivenFile(serializers.Serializer):
    """A file that the buyer gave with an order; `url` works for an hour."""

    name = serializers.CharField()
    url = serializers.CharField()


class CustomerMemo(serializers.Serializer):
    """A message to the seller."""

    customer_memo = TextField(max_length=MAX_MEMO, lines=True, required=False, default="")


class ShipMemo(serializers.Serializer):
    """A request for shipping."""

    ship_memo = TextField(max_length=MAX_MEMO, lines=True, required=False, default="")


class ConversationQuery(serializers.Serializer):
    """Which page: `before` is the last answer's `next`."""

    before = serializers.IntegerField(
        required=False, default=None, min_value=1, max_value=2**63 - 1
    )


class ConversationMessage(serializers.Serializer):
    """What somebody wrote on an order; `kind` answer is the seller's, the others are
    the company's.
    """

    message_id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=["message", "shipping", "answer"])
    at = serializers.DateTimeField()
    name = serializers.CharField(help_text="who wrote it")
    is_own = serializers.BooleanField(help_text="whether the caller wrote it")
    text = serializers.CharField()


class Conversation(Success):
    """A page of a conversation, the oldest first; the first page is the newest, `next` goes into
    `?before=`.
    """

    messages = ConversationMessage(many=True)
    unread = serializers.IntegerField(
        allow_null=True, help_text="the newest answer, while nobody of the company has seen it"
    )
    next = serializers.CharField(allow_null=True)


class SeenAnswer(serializers.Serializer):
    """The answer that is seen, as `unread` of the conversation names it."""

    message_id = serializers.IntegerField(min_value=1, max_value=2**63 - 1)


class CodeAnswer(Success):
    """The code of what was made."""

    invoice_code = serializers.CharField()


class FoundOrder(Success):
    """1 with the code, or -1 alone."""

    invoice_code = serializers.CharField(required=False)


class SkuCount(serializers.Serializer):
    """A product and how many pieces were ordered."""

    sku = serializers.CharField()
    count = serializers.IntegerField()


class RecentOrder(serializers.Serializer):
    """An earlier order, to order again."""

    invoice_code = serializers.CharField()
    build_date = serializers.DateField()
    total = MoneyField()
    count = serializers.IntegerField()
    details = SkuCount(many=True)


class RecentOrders(Success):
    """The company's newest orders."""

    result = RecentOrder(many=True)


class OrderListItem(serializers.Serializer):
    """An order in the list; `message` is its status."""

    order_id = serializers.IntegerField()
    invoice_code = serializers.CharField()
    message = serializers.CharField()
    status_id = serializers.IntegerField()
    build_date = serializers.DateField()
    amount = MoneyField(help_text="what the order comes to now, in US dollars")
    pieces = serializers.IntegerField(help_text="as ordered")
    po_number = serializers.CharField(help_text="the buyer's own number of it")
    payment = serializers.ChoiceField(
        choices=[status.value for status in PaymentStatus if status], allow_blank=True
    )
    payment_tone = serializers.ChoiceField(choices=TONE_NAMES)
    answers = serializers.CharField(
        help_text="**+** what waits for the buyer: `3 answers by 24 Nov`, or empty"
    )


class OrderSumsQuery(serializers.Serializer):
    """Which orders of a tab; days are the seller's, both included."""

    search = TextField(max_length=100, required=False, default="")
    since = serializers.DateField(required=False, default=None)
    until = serializers.DateField(required=False, default=None)
    payment = serializers.CharField(max_length=100, required=False, default="")

    def validate_payment(self, names: str) -> tuple[str, ...]:
        """Return the choices that a text names, divided by commas."""
        found = tuple(name for name in names.split(",") if name)
        if unknown := [name for name in found if name not in PAYMENTS]:
            raise serializers.ValidationError(f"“{unknown[0]}” is not one of the choices.")
        return found


class OrderListQuery(OrderSumsQuery):
    """Which orders, from which end and after which; or all of them as a file."""

    after = TextField(max_length=40, required=False, default="")
    sort = serializers.ChoiceField(choices=["newest", "oldest"], required=False, default="newest")
    format = serializers.ChoiceField(choices=list(FORMATS), required=False, default="")


class PaymentCount(serializers.Serializer):
    """A choice of how the payment stands, and how many of the searched orders it holds."""

    payment = serializers.ChoiceField(choices=list(PAYMENTS))
    text = serializers.CharField()
    orders = serializers.IntegerField()


class OrderSums(Success):
    """How many orders are wanted, and the sum of their amounts in US dollars, without those that
    are cancelled.
    """

    orders = serializers.IntegerField()
    cancelled = serializers.IntegerField(help_text="**+** how many of them are cancelled")
    amount = MoneyField()
    payments = PaymentCount(many=True)


class OrderList(Success):
    """A page of orders, newest first; `next` goes into `?after=`."""

    orderList = OrderListItem(many=True)
    has_next = serializers.BooleanField()
    next = serializers.CharField(allow_null=True)


class HistoryItem(serializers.Serializer):
    """When the order reached a status."""

    at = serializers.DateTimeField()
    message = serializers.CharField()


class NextStepRow(serializers.Serializer):
    """What a step's amount is made of, in US dollars; what came in or is kept has its minus."""

    text = serializers.CharField()
    amount = MoneyField()
    note = serializers.CharField(
        help_text="**+** the days of a cancelled order's money, or nothing"
    )


class NextStep(serializers.Serializer):
    """What is to be done now; `warn` is the buyer's own step. `amount` is what is to pay, in US
    dollars.
    """

    kind = serializers.ChoiceField(choices=STEP_KINDS)
    tone = serializers.ChoiceField(choices=TONE_NAMES)
    title = serializers.CharField()
    text = serializers.CharField()
    amount = MoneyField(allow_null=True)
    rows = NextStepRow(many=True, help_text="**+** of a balance, and of a cancelled order's money")


class TimelineStep(serializers.Serializer):
    """A step of the order: the seller's day on which it was reached, and what was or is promised of
    it.
    """

    message = serializers.CharField()
    at = serializers.CharField(allow_null=True)
    note = serializers.CharField()
    tone = serializers.ChoiceField(choices=TONE_NAMES)


class AllowedNow(serializers.Serializer):
    """What the buyer may do or see now."""

    edit_address = serializers.BooleanField()
    edit_ship_memo = serializers.BooleanField()
    message = serializers.BooleanField()
    documents = serializers.BooleanField()
    packing_list = serializers.BooleanField()
    tracking = serializers.BooleanField()
    checkout = serializers.BooleanField()
    edit_po_number = serializers.BooleanField()
    withdraw = serializers.BooleanField()
    ask_to_cancel = serializers.BooleanField(help_text="**+** in place of `withdraw`, once paid")


class OrderInformation(ShipFields):
    """An order as its buyer sees it."""

    order_id = serializers.IntegerField()
    invoice_code = serializers.CharField()
    build_date = serializers.DateField()
    message = serializers.CharField()
    status_id = serializers.IntegerField()
    type = serializers.CharField()
    memo = serializers.CharField()
    count = serializers.IntegerField()
    total = MoneyField()
    real_total = MoneyField()
    deposit = MoneyField()
    shipping_fee = MoneyField()
    weight = serializers.IntegerField(allow_null=True)
    packing_status = serializers.IntegerField()
    tracking_number = serializers.CharField(allow_null=True)
    shipping_url = serializers.CharField(allow_null=True)
    carrier = serializers.CharField(
        help_text="**+** who brings it; empty below 5, and where none is named"
    )
    expected_on = serializers.DateField(
        allow_null=True, help_text="**+** when the parcel is expected; null below 5"
    )
    customer_memo = serializers.CharField()
    ship_memo = serializers.CharField()
    export_report = FlagField()
    payment_type = serializers.CharField()
    po_number = serializers.CharField()
    former_number = serializers.CharField(help_text="of an order that moved in; else empty")
    po_file = GivenFile(allow_null=True, help_text="the file of the buyer's own order")
    sheet = GivenFile(allow_null=True, help_text="**+** the sheet that the order came of, answered")
    email = serializers.CharField()
    company = serializers.CharField()
    tax_number = serializers.CharField(help_text="**+** the company's tax or EORI number, or empty")
    country = serializers.CharField()
    state = serializers.CharField()
    packing_build_date = serializers.DateField(allow_null=True)
    packing_remarks = serializers.CharField()
    packing_notify = serializers.CharField()
    packing_terms = serializers.CharField()
    packing_list_pdf = serializers.CharField(allow_null=True)
    balance_due = MoneyField()
    answers_needed = serializers.IntegerField(help_text="**+** proposals that wait for the buyer")
    deposit_received = MoneyField()
    paid = MoneyField()
    payment_pending = serializers.BooleanField()
    weight_kg = serializers.FloatField(allow_null=True)
    products_weight_kg = serializers.FloatField()
    history = HistoryItem(many=True)
    payment = serializers.ChoiceField(
        choices=[status.value for status in PaymentStatus if status], allow_blank=True
    )
    payment_tone = serializers.ChoiceField(choices=TONE_NAMES)
    next_step = NextStep()
    timeline = TimelineStep(many=True)
    allowed = AllowedNow()


class WaitingProposal(serializers.Serializer):
    """What the seller proposes of a line, in words, and what accepting it adds in US dollars."""

    text = serializers.CharField()
    difference = MoneyField()


class OrderDetail(serializers.Serializer):
    """A line of an order."""

    order_product_id = serializers.IntegerField()
    eng_name = serializers.CharField()
    image = serializers.CharField()
    images = serializers.ListField(
        child=serializers.CharField(), help_text="**+** all pictures in their order; `image` first"
    )
    price = MoneyField()
    box_qty = serializers.IntegerField()
    sku = serializers.CharField()
    ean = serializers.CharField(
        allow_null=True, help_text="**+** 8 or 13 digits; null where it is not known"
    )
    count = serializers.IntegerField()
    order_price = MoneyField()
    is_true = FlagField()
    comment = serializers.CharField()
    weight = serializers.IntegerField()
    proposal = WaitingProposal(
        allow_null=True, help_text="**+** while it waits for the buyer's answer"
    )
    decided = serializers.CharField(
        help_text="**+** what was decided of its proposal, by whom, when; or empty"
    )
    tag = serializers.ChoiceField(choices=["Confirmed", "Not Confirmed", "Free offer"])


class OrderFile(serializers.Serializer):
    """A document: `filename` is a signed name that works for an hour, `url` the whole address."""

    filename = serializers.CharField()
    name = serializers.CharField()
    url = serializers.CharField()


class Box(serializers.Serializer):
    """Boxes of one kind: weight in grams, sizes in cm."""

    box_id = serializers.IntegerField()
    count = serializers.IntegerField()
    weight = serializers.IntegerField()
    length = serializers.FloatField()
    width = serializers.FloatField()
    height = serializers.FloatField()
    cbm = serializers.FloatField(
        allow_null=True, help_text="**+** cubic metres of all boxes of this kind"
    )


class BoxProduct(serializers.Serializer):
    """A product in a box."""

    box_id = serializers.IntegerField()
    eng_name = serializers.CharField()
    qty = serializers.IntegerField()
    packing_id = serializers.IntegerField()


class OrderDetails(Success):
    """All about one order."""

    order = OrderInformation()
    details = OrderDetail(many=True)
    total_weight = serializers.IntegerField()
    fileList = OrderFile(many=True)
    box = Box(many=True)
    boxProduct = BoxProduct(many=True)
    packint_qty_total = serializers.IntegerField()
    packint_weight_total = serializers.IntegerField()
    packint_cbm_total = serializers.FloatField(
        allow_null=True, help_text="**+** cubic metres of all boxes"
    )


class AddressInfo(serializers.Serializer):
    """The address and what may be chosen instead."""

    addressInfo = ShipFields()
    countryList = AddressEntry(many=True)
    stateList = AddressEntry(many=True)


class OrderAddress(Success):
    """An order's shipping address."""

    info = AddressInfo()
