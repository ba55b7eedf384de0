"""The end of the process at every statement and commit of what buyers do
(reliability-and-security, 19.2).

After each end the deed is done whole, mails included, or not at all; the audit is clean; and a
repeat finishes it without doing anything twice. What staff do is killed on their pages
(test_staff_kills), PayPal's journeys in apps/payments/tests/paypal/test_kills.py.
"""

import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, connections
from post_office.models import Email

from apps.accounts.models import EmailVerification, RegistrationEvent, User
from apps.accounts.selectors import Buyer, identify
from apps.accounts.services.sessions import issue_token
from apps.accounts.tests.factories import PASSWORD, make_form, make_link, make_user
from apps.catalog.tests.factories import make_product
from apps.common.errors import PortalError
from apps.common.testing import ContractClient
from apps.common.tests.kills import Killed, has_kept_nothing, killed_at
from apps.orders.models import Order, OrderEvent, TemporaryOrder
from apps.orders.tests.factories import make_draft, ship_body, stock_of
from apps.payments.models import Payment
from apps.payments.services.deposit import checkout_deposit_by_wire
from apps.payments.tests.factories import wire_form
from apps.payments.tests.paypal.support import audit

pytestmark = pytest.mark.usefixtures("transactional_db")


@dataclass
class Deed:
    """What is done, what shows whether it is done, and what it leaves behind when it is."""

    work: Callable[[], object]
    state: Callable[[], object]
    done: object


def survive(
    make: Callable[[], Deed],
    monkeypatch: pytest.MonkeyPatch,
    *,
    least: int,
    is_whole: Callable[[Any, Any, Any], bool] | None = None,
) -> None:
    """Do a deed with its end at each point in turn; it has at least so many. Of a deed of several
    parts, `is_whole` tells whether what is there is right between its beginning and its end.
    """
    deed = make()
    before = deed.state()
    for point in count(1):
        reached = False
        with killed_at(point, monkeypatch) as passed:
            try:
                deed.work()
            except Killed:
                reached = True
        connection.close()
        where, state = passed[-1], deed.state()
        is_right = is_whole(before, state, deed.done) if is_whole else state in (before, deed.done)
        assert is_right, where
        assert has_kept_nothing(passed) or audit() == "", where
        if not reached:
            break
        if state != before or (is_whole and not has_kept_nothing(passed)):
            deed.work()  # the caller saw no answer, and repeats
            assert deed.state() == deed.done, where
            assert audit() == "", where
            deed = make()
            before = deed.state()
    assert deed.state() == deed.done
    assert point > least


def refused(work: Callable[[], object]) -> Callable[[], None]:
    """Return staff's deed: a repeat finds it done, and is refused."""

    def attempt() -> None:
        try:
            work()
        except PortalError:
            return

    return attempt


def test_a_request_of_an_order(
    buyer: Buyer, api: ContractClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    product, counts = make_product(), count(10, 10)

    def make() -> Deed:
        key = uuid4()
        body = {
            "uuid": str(buyer.uuid),
            "export_report": 0,
            # Of the same pieces an open request would be taken again.
            "product": [{"sku": product.sku, "count": next(counts)}],
        }
        headers = {"Idempotency-Key": str(key)}
        drafts_made = TemporaryOrder.objects.filter(idempotency_key=key)

        def work() -> None:
            answer = api.send("POST", "/api/temp-order", {**body, **ship_body()}, headers=headers)
            assert (answer.status_code, answer.json()["invoice_code"]) == (
                200,
                drafts_made.get().invoice_code,
            )

        return Deed(work, drafts_made.count, 1)

    survive(make, monkeypatch, least=3)


def test_a_checkout_by_wire(
    buyer: Buyer, api: ContractClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    product = make_product(on_hand=10_000)

    def make() -> Deed:
        draft = make_draft(buyer, [(product, 20)])
        code, allocated = draft.invoice_code, stock_of(product)[1]
        headers = {"Idempotency-Key": str(uuid4())}
        head = {
            "uuid": str(buyer.uuid),
            "email": buyer.email,
            "invoice_code": code,
            "type": "ORDER",
        }
        money = {
            "payment_type": "T/T",
            "export_report": 1,
            "payer_id": "Glow",
            "amount": float(draft.total),
        }

        def work() -> None:
            answer = api.send(
                "POST",
                "/api/order/checkout-deposit/tt",
                {**head, **money, **ship_body()},
                headers=headers,
            )
            assert (answer.status_code, answer.json()["invoice_code"]) == (200, code)

        def state() -> tuple[int, ...]:
            order = Order.objects.filter(invoice_code=code)
            return (
                order.count(),
                order.filter(lines__quantity=20, lines__allocated=20).count(),
                OrderEvent.objects.filter(order__invoice_code=code).count(),
                Payment.objects.filter(invoice_code=code).count(),
                Email.objects.filter(subject__contains=code).count(),
                stock_of(product)[1] - allocated,
                TemporaryOrder.objects.filter(pk=draft.pk, ordered_at__isnull=False).count(),
            )

        return Deed(work, state, (1, 1, 1, 1, 2, 20, 1))

    # The buyer, the claim, and both sides of the commit; the address book may be read or kept.
    survive(make, monkeypatch, least=4)


def test_a_sign_up(visitor: ContractClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def make() -> Deed:
        link = make_link()
        form = make_form(link)

        def work() -> None:
            answer = visitor.send("POST", "/api/register/sign-up", form)
            assert (answer.status_code, answer.json()["success"]) in ((200, 1), (200, -1))

        def state() -> tuple[int, ...]:
            user = User.objects.filter(email=link.email)
            used = EmailVerification.objects.filter(email=link.email, used_at__isnull=False)
            events = RegistrationEvent.objects.filter(user__email=link.email)
            return (
                user.count(),
                used.count(),
                events.count(),
                Email.objects.filter(context__values__icontains=link.email).count(),
            )

        return Deed(work, state, (1, 1, 1, 1))

    survive(make, monkeypatch, least=4)


def test_a_change_of_the_password(monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    words = (f"{PASSWORD} {number}" for number in count())

    def make() -> Deed:
        old, new = next(words), next(words)
        user = make_user(password=old)

        def work() -> None:
            # Whoever saw no answer signs in with the password that works, and tries again.
            buyer = identify(user.uuid)
            assert buyer is not None
            client = ContractClient().sign_in(issue_token(buyer=buyer, signed_in_at=now, now=now))
            if User.objects.get(pk=user.pk).check_password(old):
                body = {"company_id": user.company_id, "password": new, "passwordConfirm": new}
                assert (
                    client.send("PUT", f"/api/password/{user.company_id}", body).status_code == 200
                )

        def state() -> tuple[Any, ...]:
            stored_user = User.objects.get(pk=user.pk)
            words_that_work = [stored_user.check_password(word) for word in (old, new)]
            return (
                *words_that_work,
                stored_user.session_version,
                Email.objects.filter(to=user.email).count(),
            )

        return Deed(work, state, (False, True, 2, 1))

    survive(make, monkeypatch, least=5)


def acknowledged(drafts: list[TemporaryOrder], buyer: Buyer) -> Iterator[str]:
    """Check out in a process of its own and yield each code that it acknowledges; it is killed when
    they are left.
    """
    connections.close_all()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            for draft in drafts:
                checkout_deposit_by_wire(buyer=buyer, form=wire_form(draft), now=datetime.now(UTC))
                os.write(writer, f"{draft.invoice_code}\n".encode())
        finally:
            os._exit(1)  # neither pytest nor the parent's clean-up may run here
    os.close(writer)
    try:
        with os.fdopen(reader) as lines:
            for line in lines:
                yield line.strip()
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_kill_9_loses_no_acknowledged_order(buyer: Buyer) -> None:
    product = make_product(on_hand=10_000)
    for ends_after in (1, 4, 9):
        drafts = [make_draft(buyer, [(product, 20)]) for _ in range(30)]
        statements: list[str] = []
        child = acknowledged(drafts, buyer)
        for code in child:
            statements.append(code)
            if len(statements) == ends_after:
                break
        child.close()  # type: ignore[attr-defined]
        codes = [draft.invoice_code for draft in drafts]
        made = list(
            Order.objects.filter(invoice_code__in=codes)
            .order_by("pk")
            .values_list("invoice_code", flat=True)
        )
        assert len(statements) == ends_after
        assert made[: len(statements)] == statements
        assert audit() == ""
        assert stock_of(product)[1] == 20 * Order.objects.count()
        # The shelf, the counters and the next orders go on from there.
        missing = next(draft for draft in drafts if draft.invoice_code not in made)
        checkout_deposit_by_wire(buyer=buyer, form=wire_form(missing), now=datetime.now(UTC))
        assert audit() == ""
