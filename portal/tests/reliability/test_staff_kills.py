"""The end of the process at every statement and commit of staff's pages, as a browser sends them
(19.2).

What a page does, its mails and the line in the record of staff's actions are there together or not
at all; the audit is clean; pressed again, the step is done once.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from itertools import count
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from post_office.models import Email

from apps.accounts.models import Company, Invitation, User
from apps.accounts.selectors import Buyer
from apps.accounts.services import invitations
from apps.accounts.services.invitations import invite
from apps.accounts.tests.factories import make_company, make_user
from apps.accounts.tests.staff import staff_client, staff_in
from apps.catalog.models import Brand, Import, Product, Running, StockChange
from apps.catalog.services import import_writing
from apps.catalog.services.imports import apply_import, undo_import
from apps.catalog.tests.factories import make_product
from apps.catalog.tests.import_files import applied, work
from apps.catalog.tests.test_admin_catalogue import product_fields
from apps.moving.tests.moving_files import sent as moved
from apps.orders.models import Order, OrderEvent
from apps.orders.selectors.orders import due_of
from apps.orders.services.moves import start_preparing
from apps.orders.tests.factories import Lines, make_sales, pack, stock_of
from apps.orders.tests.test_admin_packing import body as packed
from apps.orders.tests.test_admin_sheet import filled
from apps.payments.models import Payment, WalletEntry
from apps.payments.selectors import wallet_balance
from apps.payments.states import PaymentState
from apps.payments.tests.factories import (
    announced,
    arrive,
    make_announced_balance,
    make_confirmed_order,
    make_wire_order,
)
from portal.tests.reliability.test_kills import Deed, survive

pytestmark = pytest.mark.usefixtures("transactional_db")
Figures = tuple[Any, ...]
# What is sent where, what shows whether it is done, and what that shows then.
Page = tuple[tuple[str, dict[str, Any]], Callable[[], Figures], Figures]


def page(name: str, *ids: int) -> str:
    """Return the address of a staff page."""
    return reverse(f"admin:{name}", args=ids)


def asked(client: Client, url: str, query: dict[str, str] | None = None) -> dict[str, Any]:
    """Return what the form of a page begins with, as a browser sends it back."""
    form = client.get(url, query or {}).context["form"]
    values = {name: form[name].value() for name in form.fields}
    return {name: "" if value is None else value for name, value in values.items()}


def pressed(client: Client, make: Callable[[], Page]) -> Callable[[], Deed]:
    """Return what makes the deed of a page: its figures, the mails it owes and its lines in the
    record.
    """

    def deed() -> Deed:
        (url, body), figures, outcome = make()
        mails, lines = Email.objects.count(), LogEntry.objects.count()

        def state() -> Figures:
            return *figures(), Email.objects.count() - mails, LogEntry.objects.count() - lines

        return Deed(lambda: client.post(url, body), state, outcome)

    return deed


def unless_done(make: Callable[[], Deed]) -> Callable[[], Deed]:
    """Return a deed that nobody repeats who sees it done: a product as it was saved."""

    def deed() -> Deed:
        state = make()

        def work() -> None:
            if state.state() != state.done:
                state.work()

        return Deed(work, state.state, state.done)

    return deed


@pytest.fixture
def sales() -> Client:
    return staff_client(manager="Mina Park")


@pytest.fixture
def lines() -> Lines:
    return [
        (make_product(sku="A-1", on_hand=100_000), 20),
        (make_product(sku="B-2", on_hand=100_000), 40),
    ]


@pytest.mark.parametrize("step", ["prepare", "confirm", "pack", "ship"])
def test_a_step_of_an_order(
    sales: Client, buyer: Buyer, lines: Lines, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def make() -> Page:
        order = order_before(step, buyer, lines)
        status, packing, events = order.status, order.packing_status, order.events.count()
        shelf = stock_of(lines[0][0])
        tracking = {"tracking_number": "DHL-1", "shipping_url": "https://carrier.test/1"}
        bodies: dict[str, Callable[[], dict[str, Any]]] = {
            "prepare": dict,
            "confirm": lambda: filled(order),
            "pack": lambda: packed(order, complete="1"),
            "ship": lambda: asked(sales, page("orders_order_ship", order.pk)) | tracking,
        }
        outcomes = {
            "prepare": (status + 1, packing, events + 1, (0, 0), 0, 1),
            "confirm": (status + 1, packing, events + 1, (0, 0), 1, 1),
            "pack": (status, Order.Packing.COMPLETE, events + 1, (0, 0), 0, 1),
            "ship": (status + 1, packing, events + 1, (-20, -20), 1, 1),
        }

        def figures() -> Figures:
            stored_order = Order.objects.get(pk=order.pk)
            on_hand, allocated, _ = stock_of(lines[0][0])
            moved = on_hand - shelf[0], allocated - shelf[1]
            return (
                stored_order.status,
                stored_order.packing_status,
                stored_order.events.count(),
                moved,
            )

        url = page(f"orders_order_{'packing' if step == 'pack' else step}", order.pk)
        return (url, bodies[step]()), figures, outcomes[step]

    survive(pressed(sales, make), monkeypatch, least=5)


def order_before(step: str, buyer: Buyer, lines: Lines) -> Order:
    """Return an order before a step of the staff, paid as orders are."""
    if step == "pack":
        order = make_confirmed_order(buyer, lines)
    elif step == "ship":
        order = make_announced_balance(buyer, lines)
        arrive(order)
        pack(order)
    else:
        order = make_wire_order(buyer, lines)
        arrive(order)
        if step == "confirm":
            start_preparing(order_id=order.pk, actor=make_sales(), now=datetime.now(UTC))
    return Order.objects.get(pk=order.pk)


def test_an_answer_to_a_message(
    sales: Client, buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make() -> Page:
        order = make_wire_order(buyer)
        Order.objects.filter(pk=order.pk).update(customer_memo="When?", message_unread=True)

        def figures() -> Figures:
            stored_order = Order.objects.get(pk=order.pk)
            return stored_order.memo, stored_order.message_unread

        message = (
            page("orders_order_answer", order.pk),
            {"text": "On Monday", "_opened": "2026-11-20T10:42:00+09:00"},
        )
        return message, figures, ("On Monday", False, 1, 1)

    survive(pressed(sales, make), monkeypatch, least=5)


def test_a_deposit_share(sales: Client, buyer: Buyer, monkeypatch: pytest.MonkeyPatch) -> None:
    shares = count(10)

    def make() -> Page:
        company, share = Company.objects.get(pk=buyer.company_id), next(shares)
        url = page("accounts_company_deposit", company.pk)
        events = company.events.count()

        def figures() -> Figures:
            stored_company = Company.objects.get(pk=company.pk)
            return stored_company.deposit_rate == Decimal(
                share
            ) / 100, stored_company.events.count() - events

        body = {**asked(sales, url), "share": str(share), "reason": "A good customer"}
        return (url, body), figures, (True, 1, 0, 1)

    survive(pressed(sales, make), monkeypatch, least=5)


def wire_steps(sales: Client, buyer: Buyer, step: str) -> Page:
    """Return a page about a wire, what shows whether it did its work, and what it shows then."""
    order = make_wire_order(buyer)
    payment = announced(order)
    if step in ("move", "refund_wire", "cancel"):
        arrive(order)
    query, body = {}, {"reason": "Wrong order"}
    if step == "book":
        order = make_confirmed_order(buyer)
        url = page("orders_order_book", order.pk)
        body = {"amount": str(due_of(order)), "depositor": "Glow", "value_date": "2026-11-20"}
    elif step in ("cancel", "cancel unpaid"):
        full = str(payment.amount) if step == "cancel" else "0.00"
        hidden_fields = {"seen_terms": "0.00", "seen_full": full}
        url = page("orders_order_cancel", order.pk)
        body = {"by_terms": "0", "kind": "Other", "words": "Over", **hidden_fields}
    else:
        url = page(f"payments_payment_{step}", payment.pk)
    if step == "move":
        query = {"to": make_wire_order(buyer).invoice_code}
    if step == "refund_wire":
        query = {"amount": "20.00", "way": "wallet", "reason": "Two are missing"}
    if step == "confirm":
        body = {"received": str(payment.amount)}
    sent_back = {**asked(sales, url, query), **query, **body}
    events, credit = (
        OrderEvent.objects.filter(order=order).count(),
        wallet_balance(company_id=buyer.company_id),
    )

    def figures() -> Figures:
        stored_order = Order.objects.get(pk=order.pk)
        return (
            str(stored_order.received),
            str(wallet_balance(company_id=buyer.company_id) - credit),
            OrderEvent.objects.filter(order=order).count() > events,
            stored_order.payments.filter(state=PaymentState.ANNOUNCED).count(),
        )

    whole, rest = str(payment.amount), str(payment.amount - 20)
    outcomes = {
        "confirm": (whole, "0.00", True, 0, 0, 1),
        "refuse": ("0.00", "0.00", False, 0, 1, 1),
        "book": (str(order.real_total + order.shipping_fee), "0.00", True, 0, 1, 1),
        "move": ("0.00", "0.00", True, 0, 0, 2),
        "refund_wire": (rest, "20.00", True, 0, 1, 1),
        "cancel": (whole, whole, True, 0, 1, 1),
        "cancel unpaid": ("0.00", "0.00", True, 0, 1, 1),
    }
    return (url, sent_back), figures, outcomes[step]


@pytest.mark.parametrize(
    "step", ["confirm", "refuse", "book", "move", "refund_wire", "cancel", "cancel unpaid"]
)
def test_a_page_about_a_wire(
    sales: Client, buyer: Buyer, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    survive(pressed(sales, lambda: wire_steps(sales, buyer, step)), monkeypatch, least=5)


def test_credit_sent_back_by_bank(
    sales: Client, buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make() -> Page:
        company = buyer.company_id
        before = wallet_balance(company_id=company)
        entry = {"kind": "correction", "amount": 30, "at": datetime.now(UTC)}
        WalletEntry.objects.create(company_id=company, **entry)
        url, query = (
            page("payments_walletentry_pay_out", company),
            {"amount": "30.00", "reason": "Asked"},
        )

        def figures() -> Figures:
            return (str(wallet_balance(company_id=company) - before),)

        return (url, {**asked(sales, url, query), **query}), figures, ("0.00", 1, 1)

    survive(pressed(sales, make), monkeypatch, least=5)


def test_a_product_is_hidden(sales: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def make() -> Page:
        product = make_product()
        url = page("catalog_product_change", product.pk)
        count = Brand.objects.get(pk=product.brand_id).product_count

        def figures() -> Figures:
            brand = Brand.objects.get(pk=product.brand_id)
            return Product.objects.get(pk=product.pk).is_running, brand.product_count - count

        body = product_fields(product, is_running=Running.HIDDEN.value)
        return (url, body), figures, (Running.HIDDEN, -1, 0, 1)

    survive(unless_done(pressed(sales, make)), monkeypatch, least=5)


def moves_in(kind: str, name: str) -> tuple[list[Any], Callable[[], Figures], Figures]:
    """Return rows of a kind that bring something in, what shows whether it is there, and what that
    shows then.
    """
    rows: list[Any]
    if kind == "people":
        rows = [("Company", "Person", "E-mail"), (name, "Ann", f"ann@{name}.test")]
        rows.append((name, "Bo", f"bo@{name}.test"))
        people = User.objects.filter(email__endswith=f"@{name}.test")
        return rows, lambda: (Company.objects.filter(name=name).count(), people.count()), (1, 2)
    company = make_company(name=name)
    if kind == "balances":
        rows = [("Company", "Credit ($)"), (name, 12.5)]
        return rows, lambda: (str(wallet_balance(company_id=company.pk)),), ("12.50",)
    product = make_product(on_hand=100)
    products = Product.objects.select_related("stock").filter(pk=product.pk)
    if kind == "products":
        changes = StockChange.objects.filter(product=product).values_list("change", flat=True)
        rows = [("SKU", "Wholesale ($)", "On hand"), (product.sku, "4.80", 90)]

        def shelf() -> Figures:
            product_now = products.get()
            return str(product_now.usd_supply), product_now.stock.on_hand, sum(changes.all())

        return rows, shelf, ("4.80", 90, -10)
    make_user(company=company, email=f"{name}@x.test")
    names = ("Order number", "Company", "Status", "SKU", "Pieces", "Price", "Deposit received")
    order = (name, name, "Confirmed", product.sku, 10, 2, 5)
    rows = [(*names, "Shipping fee"), (*order, 3)]

    def figures() -> Figures:
        payments = Payment.objects.filter(order__former_number=name)
        orders = Order.objects.filter(former_number=name)
        return orders.count(), payments.count(), products.get().stock.allocated

    return rows, figures, (1, 1, 10)


@pytest.mark.parametrize("undo", [False, True])
@pytest.mark.parametrize("kind", ["products", "people", "balances", "orders"])
def test_an_import(monkeypatch: pytest.MonkeyPatch, kind: str, undo: bool) -> None:
    """Neither doubled nor lost, applied or undone: its parts are written one by one, and what is
    left is done by the sweep that comes next.
    """
    monkeypatch.setattr(import_writing, "rest", lambda: None)
    actor = User.objects.create(email="o@x.test", is_staff=True, is_superuser=True)

    def make() -> Deed:
        rows, figures, there = moves_in(kind, f"n{uuid4().hex}")
        before = figures()
        table = "\n".join(",".join(map(str, row)) for row in rows).encode()
        source = moved(
            table, name="a.csv", actor=actor, kind="table" if kind == "products" else kind
        )
        if undo:
            source = applied(source)
            assert figures() == there
            undo_import(import_id=source.pk, actor=actor)
        else:
            apply_import(import_id=source.pk, ticked=source.counts["guards"], actor=actor)
        record = LogEntry.objects.filter(content_type__model="import", object_id=source.pk)
        lines = record.count()

        def state() -> Figures:
            return *figures(), Import.objects.get(pk=source.pk).state, record.count() - lines

        ended = (*before, "undone", 1) if undo else (*there, "applied", 1)
        return Deed(work, state, ended)

    def is_whole(before: Figures, now: Figures, outcome: Figures) -> bool:
        return now[:-2] in (before[:-2], outcome[:-2])

    survive(make, monkeypatch, least=8, is_whole=is_whole)


def test_a_batch_of_invitations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked again after the end of the process, nobody gets two and nobody none."""
    monkeypatch.setattr(invitations, "PART", 1)
    actor, company = staff_in(), make_company()

    def make() -> Deed:
        people = [make_user(company=company, password=None) for _ in range(3)]
        ids, mails = [user.pk for user in people], Email.objects.count()

        def state() -> Figures:
            invited = Invitation.objects.filter(user__in=ids).count()
            return invited, Email.objects.count() - mails

        return Deed(lambda: invite(user_ids=ids, actor=actor, now=timezone.now()), state, (3, 3))

    survive(make, monkeypatch, least=8, is_whole=lambda before, now, outcome: now[0] == now[1])
