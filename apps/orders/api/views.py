"""The orders' calls: parse, call one service or selector, answer."""

from datetime import date

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from apps.accounts.api.identity import BuyerRequest, is_own_uuid, own_uuid_or_404
from apps.accounts.shipping import Shipping
from apps.common.errors import NotFound
from apps.common.http.api import PortalView
from apps.common.http.renderers import json_response, ok
from apps.common.http.schema import call, path_number
from apps.common.http.serializers import Success, validate
from apps.common.http.throttles import SignedInLimit
from apps.common.storage.files import XLSX
from apps.common.tables.download import FORMATS, MOST_ROWS, table_file
from apps.orders.api import serializers as wire
from apps.orders.api.requests import OrderRequestLimit, QuickSearchLimit, code_or_404, repeat_of
from apps.orders.models import OrderEvent
from apps.orders.selectors.conversation import conversation
from apps.orders.selectors.details import order_details
from apps.orders.selectors.lists import (
    PAYMENTS,
    OrderQuery,
    exported_orders,
    order_in_list,
    order_list,
    order_sums,
)
from apps.orders.selectors.orders import (
    find_invoice_code,
    is_ordered,
    order_address,
    recent_orders,
    unfinished_requests,
)
from apps.orders.services.conversation import (
    edit_address,
    leave_message,
    read_answer,
    set_po_number,
)
from apps.orders.services.request import cancel_temporary_order, request_order
from apps.orders.status import OrderStatus

MAX_RECENT = 20
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key", str, OpenApiParameter.HEADER, description="a UUID"
)
SHOP = OpenApiParameter("shop", str, description="accepted, changes nothing")
AFTER = OpenApiParameter("after", str, description="the last answer's `next`")
BEFORE = OpenApiParameter("before", int, description="the last answer's `next`")
SUMMED_PARAMETERS = [
    OpenApiParameter(
        "search",
        str,
        description="words of the code, the PO number, or a product's name, SKU or brand",
    ),
    OpenApiParameter("since", date, description="the seller's day, included"),
    OpenApiParameter("until", date, description="the seller's day, included"),
    OpenApiParameter(
        "payment", str, description=f"how it stands, divided by commas: {', '.join(PAYMENTS)}"
    ),
]
LIST_PARAMETERS = [*SUMMED_PARAMETERS, OpenApiParameter("sort", str, enum=["newest", "oldest"])]
FORMAT = OpenApiParameter(
    "format",
    str,
    enum=list(FORMATS),
    description=f"what is found as a file, at most {MOST_ROWS:,} orders",
)


class RecentOrdersView(PortalView):
    """GET /recent/order/{uuid}/{n}."""

    @call(
        "recent_orders",
        answer=wire.RecentOrders,
        parameters=[path_number("n", "1 to 20")],
    )
    def get(self, request: BuyerRequest, uuid: str, n: int) -> HttpResponse:
        """Return the company's newest orders with their lines."""
        own_uuid_or_404(buyer=request.user, uuid=uuid)
        if not 1 <= n <= MAX_RECENT:
            raise NotFound
        return ok(result=recent_orders(buyer=request.user, limit=n))


class TemporaryOrdersView(PortalView):
    """POST /temp-order."""

    throttle_classes = (SignedInLimit, OrderRequestLimit)

    @call(
        "request_order",
        request=wire.OrderRequest,
        answer=wire.CodeAnswer,
        parameters=[SHOP, IDEMPOTENCY_KEY],
    )
    def post(self, request: BuyerRequest) -> HttpResponse:
        """Request an order: freeze the basket's prices under an invoice code. With an
        Idempotency-Key, an open request of the same lines is priced anew instead of making another.
        """
        fields = self.validated(wire.OrderRequest)
        own_uuid_or_404(buyer=request.user, uuid=fields["uuid"])
        draft = request_order(
            buyer=request.user,
            lines=[(line["sku"], line["count"]) for line in fields["product"]],
            seen_prices={
                line["sku"]: line["seen_price"]
                for line in fields["product"]
                if "seen_price" in line
            },
            shipping=Shipping.from_fields(fields),
            now=timezone.now(),
            **repeat_of(request, self.data),
        )
        return ok(invoice_code=draft.invoice_code)


class UnfinishedRequestsView(PortalView):
    """GET /temp-orders."""

    @call("unfinished_requests", answer=wire.UnfinishedRequests)
    def get(self, request: BuyerRequest) -> HttpResponse:
        """**+** Return the requests that the buyer left before the checkout and can still order."""
        return ok(result=unfinished_requests(buyer=request.user, now=timezone.now()))


class TemporaryOrderView(PortalView):
    """DELETE /temp-order/{invoice_code}."""

    @call("cancel_temporary_order", answer=Success)
    def delete(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """**+** Drop the temporary order."""
        cancel_temporary_order(
            buyer=request.user, invoice_code=code_or_404(invoice_code), now=timezone.now()
        )
        return ok()


class OrderCheckView(PortalView):
    """POST /order/check."""

    @call("check_order", request=wire.InvoiceCode, answer=Success)
    def post(self, request: BuyerRequest) -> HttpResponse:
        """Say whether the temporary order is an order already: 1, or 0 while it can be made."""
        code = code_or_404(self.validated(wire.InvoiceCode)["invoice_code"])
        return json_response({"success": int(is_ordered(buyer=request.user, invoice_code=code))})


class OrderListView(PortalView):
    """GET /order/{status_id} and /order/{status_id}/{invoice_code}."""

    @call(
        "orders",
        answer=wire.OrderList,
        refusals=(400,),
        parameters=[path_number("status_id", "0 (all) to 5"), AFTER, *LIST_PARAMETERS, FORMAT],
        other={(200, XLSX): OpenApiTypes.BINARY, (200, "text/csv"): OpenApiTypes.BINARY},
    )
    def get(self, request: BuyerRequest, status_id: int) -> HttpResponse:
        """Return a page of the company's orders, newest first, or all of them as a file."""
        fields = validate(wire.OrderListQuery, request.GET.dict())
        after, format_ = fields.pop("after"), fields.pop("format")
        buyer, status, query = request.user, tab_or_404(status_id), OrderQuery(**fields)
        if format_:
            rows = exported_orders(buyer=buyer, status=status, query=query)
            return table_file(rows, name="Orders", format_=format_)
        return ok(**order_list(buyer=buyer, status=status, after=after, query=query))


class OrderSumsView(PortalView):
    """GET /order-sums/{status_id}."""

    @call(
        "order_sums",
        answer=wire.OrderSums,
        refusals=(400,),
        parameters=[path_number("status_id", "0 (all) to 5"), *SUMMED_PARAMETERS],
    )
    def get(self, request: BuyerRequest, status_id: int) -> HttpResponse:
        """**+** Return how many orders the list holds, their sum, and how many stand how with their
        payment.
        """
        query = OrderQuery(**validate(wire.OrderSumsQuery, request.GET.dict()))
        return ok(**order_sums(buyer=request.user, status=tab_or_404(status_id), query=query))


class OrderInListView(PortalView):
    """GET /order/{status_id}/{invoice_code}."""

    @call(
        "order_in_list",
        answer=wire.OrderList,
        parameters=[path_number("status_id", "0 (all) to 5")],
    )
    def get(self, request: BuyerRequest, status_id: int, invoice_code: str) -> HttpResponse:
        """Return one order alone, or an empty list when it is not in this tab."""
        return ok(
            **order_in_list(
                buyer=request.user,
                status=tab_or_404(status_id),
                invoice_code=code_or_404(invoice_code),
            )
        )


class OrderDetailsView(PortalView):
    """GET /details/{invoice_code}."""

    @call("order_details", answer=wire.OrderDetails)
    def get(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """Return all about one order."""
        return ok(
            **order_details(
                buyer=request.user, invoice_code=code_or_404(invoice_code), now=timezone.now()
            )
        )


class OrderAddressView(PortalView):
    """POST /order/address."""

    @call("order_address", request=wire.InvoiceCode, answer=wire.OrderAddress)
    def post(self, request: BuyerRequest) -> HttpResponse:
        """Return an order's shipping address with the countries, and the states of its country."""
        code = code_or_404(self.validated(wire.InvoiceCode)["invoice_code"])
        return ok(info=order_address(buyer=request.user, invoice_code=code))


class EditAddressView(PortalView):
    """PUT /order/edit/address."""

    @call("edit_address", request=wire.AddressChange, answer=Success)
    def put(self, request: BuyerRequest) -> HttpResponse:
        """Change an order's shipping address."""
        fields = self.validated(wire.AddressChange)
        edit_address(
            buyer=request.user,
            invoice_code=code_or_404(fields["invoice_code"]),
            shipping=Shipping.from_fields(fields),
            now=timezone.now(),
        )
        return ok()


class PoNumberView(PortalView):
    """PUT /order/po-number/{invoice_code}."""

    @call("set_po_number", request=wire.PoNumber, answer=Success)
    def put(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """**+** Set the buyer's own number of an order."""
        set_po_number(
            buyer=request.user,
            invoice_code=code_or_404(invoice_code),
            po_number=self.validated(wire.PoNumber)["po_number"],
            now=timezone.now(),
        )
        return ok()


class _MessageView(PortalView):
    """A call that leaves the one text of its body on an order."""

    def leave(
        self, invoice_code: str, kind: OrderEvent.Kind, shape: type[serializers.Serializer]
    ) -> HttpResponse:
        """Leave it for the seller, under the caller's key once."""
        fields = self.validated(shape)
        (text,) = fields.values()
        leave_message(
            buyer=self.request.user,
            invoice_code=code_or_404(invoice_code),
            kind=kind,
            text=text,
            now=timezone.now(),
            idempotency_key=repeat_of(self.request, fields)["idempotency_key"],
        )
        return ok()


class CustomerMemoView(_MessageView):
    """PUT /order/customer/memo/{invoice_code}."""

    @call(
        "leave_message",
        request=wire.CustomerMemo,
        answer=Success,
        parameters=[IDEMPOTENCY_KEY],
    )
    def put(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """Leave a message for the seller."""
        return self.leave(invoice_code, OrderEvent.Kind.MESSAGE, wire.CustomerMemo)


class ShipMemoView(_MessageView):
    """POST /order/customer/ship-memo/{invoice_code}."""

    @call(
        "request_shipping",
        request=wire.ShipMemo,
        answer=Success,
        parameters=[IDEMPOTENCY_KEY],
    )
    def post(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """Leave a request for shipping."""
        return self.leave(invoice_code, OrderEvent.Kind.SHIP_MEMO, wire.ShipMemo)


class ConversationView(PortalView):
    """GET /order/customer/messages/{invoice_code}."""

    @call("order_messages", answer=wire.Conversation, refusals=[400], parameters=[BEFORE])
    def get(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """**+** Return what the company and the seller wrote to each other on an order."""
        query = validate(wire.ConversationQuery, request.GET.dict())
        return ok(
            **conversation(buyer=request.user, invoice_code=code_or_404(invoice_code), **query)
        )


class ReadView(PortalView):
    """POST /order/customer/read/{invoice_code}."""

    @call("read_answer", request=wire.SeenAnswer, answer=Success)
    def post(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """**+** Tell that the seller's newest answer is seen; staff see when. Once more
        changes nothing.
        """
        read_answer(
            buyer=request.user,
            invoice_code=code_or_404(invoice_code),
            message_id=self.validated(wire.SeenAnswer)["message_id"],
            now=timezone.now(),
        )
        return ok()


class QuickSearchView(PortalView):
    """GET /dashboard/quick/{uuid}/{invoice_number}."""

    throttle_classes = (SignedInLimit, QuickSearchLimit)

    @call(
        "quick_search",
        answer=wire.FoundOrder,
    )
    def get(self, request: BuyerRequest, uuid: str, invoice_number: str) -> HttpResponse:
        """Find an order of the company by its whole code, case ignored; another's uuid finds
        nothing.
        """
        own = is_own_uuid(buyer=request.user, uuid=uuid)
        code = find_invoice_code(buyer=request.user, text=invoice_number) if own else None
        return json_response({"success": 1, "invoice_code": code} if code else {"success": -1})


def tab_or_404(status_id: int) -> OrderStatus | None:
    """Return a tab's status, None for the tab of all orders (section 2).

    Raises:
        NotFound: there is no such tab.
    """
    if status_id == 0:
        return None
    try:
        return OrderStatus(status_id)
    except ValueError as error:
        raise NotFound from error
