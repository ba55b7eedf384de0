"""Customers: who is in the list, what their page says to whom, their notes and terms."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import Sum
from django.utils import timezone
from post_office.models import Email

from apps.accounts.errors import TermsRefused
from apps.accounts.models import Company, CompanyEvent, User
from apps.accounts.services.companies import keep_company_note, set_deposit_share
from apps.accounts.tests.factories import (
    buyer_of,
    make_buyer,
    make_company,
    make_country,
    make_user,
)
from apps.accounts.tests.registrations import make_registration
from apps.accounts.tests.staff import csv_lines, shown_messages, staff_client, staff_in
from apps.catalog.tests.factories import make_price_group, make_product
from apps.common.notes import TextRefused
from apps.common.testing import ContractClient
from apps.orders.models import ListInHand, Order, OrderTally
from apps.orders.selectors.orders import OPEN_MONEY, due_of
from apps.orders.selectors.waiting import what_is_due
from apps.orders.services.conversation import keep_note
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_draft, make_order, make_order_at, make_sales, receive
from apps.payments.models import BankCredit, WalletEntry
from apps.payments.tests.factories import make_confirmed_order, make_wire_order
from portal.staff.customers.figures import last_months, sums_of
from portal.staff.customers.page import not_bought_for_long

pytestmark = pytest.mark.django_db
LIST = "/admin/accounts/company/"


def page_of(company_id: int, rest: str = "change/") -> str:
    return f"{LIST}{company_id}/{rest}"


def listed(client: Any, query: str = "") -> list[str]:
    return [company.name for company in client.get(f"{LIST}?{query}").context["cl"].result_list]


class TestList:
    def test_undecided_and_rejected_registrations_are_not_in_it(self):
        buyer, waiting = make_buyer(), make_registration()
        rejected = make_user(approval=User.Approval.REJECTED)
        names = listed(staff_client())
        assert buyer.company in names
        assert not {str(waiting.company), str(rejected.company)} & set(names)
        page = staff_client().get(LIST)
        assert page.context["waiting"] == 1
        assert "1 registration to decide" in page.text

    def test_who_ordered_stays_in_it_and_so_does_a_company_without_people(self):
        order, withdrawn, empty = make_order(make_buyer()), make_buyer(), make_company()
        people = User.objects.filter(company__in=(order.company_id, withdrawn.company_id))
        people.update(approval=User.Approval.REJECTED)
        assert set(listed(staff_client())) == {order.company.name, empty.name}

    def test_it_names_a_person_below_each_and_filters_by_terms(self):
        plain, other = make_buyer(), make_buyer()
        second = make_user(
            company=Company.objects.get(pk=plain.company_id), manager="Zofia", stock_free=True
        )
        User.objects.filter(pk=second.pk).update(last_login=timezone.now())
        Company.objects.filter(pk=other.company_id).update(
            deposit_rate="0.50", brands_restricted=True
        )
        client = staff_client()
        page = client.get(LIST)
        assert '<span class="second">Zofia, 1 more</span>' in page.text
        for terms, names in (
            ("share", [other.company]),
            ("brands", [other.company]),
            ("free", [plain.company]),
        ):
            assert listed(client, f"terms={terms}") == names
        assert len(listed(client, "terms=nonsense")) == 2

    def test_price_groups_are_a_column_and_a_filter_where_there_are_some(self):
        plain, dear = make_buyer(), make_buyer()
        client = staff_client("Sales")
        assert "column-price_group" not in client.get(LIST).text
        group = make_price_group(-10, Company.objects.get(pk=dear.company_id), name="Gold")
        page = client.get(LIST)
        assert "column-price_group" in page.text
        assert "Gold" in page.text
        assert listed(client, f"group={group.pk}") == [dear.company]
        assert listed(client, "group=none") == [plain.company]

    def test_the_most_overdue_come_first_and_the_sums_are_of_all(self):
        now = timezone.now()
        quiet, owing, late = make_buyer(), make_buyer(), make_buyer()
        make_wire_order(owing)
        order = make_confirmed_order(late)
        Order.objects.filter(pk=order.pk).update(due_at=now - timedelta(days=1))
        client = staff_client("Sales")
        assert listed(client) == [late.company, owing.company, quiet.company]
        page = client.get(LIST)
        money = [company.open_money for company in page.context["cl"].result_list]
        assert page.context["sums"]["money"] == sum(amount for amount in money if amount)
        assert page.context["sums"]["late"] == due_of(Order.objects.get(pk=order.pk))
        assert listed(client, "money=overdue") == [late.company]
        assert listed(client, "money=open") == [late.company, owing.company]
        assert listed(client, "last=never") == [quiet.company]
        with_orders = client.get(LIST, {"last": "recent"}).context
        assert with_orders["sums"] == sums_of(with_orders["cl"].queryset, now=now)
        assert with_orders["sums"]["companies"] == 2

    def test_it_is_filtered_by_state_country_and_last_order(self):
        shut = make_buyer(company=make_company(is_open=True, country=make_country("DE", "Germany")))
        order = make_order(make_buyer())
        Order.objects.filter(pk=order.pk).update(placed_at=timezone.now() - timedelta(days=100))
        Company.objects.filter(pk=shut.company_id).update(is_open=False)
        client = staff_client("Sales")
        assert listed(client, "state=closed") == [shut.company]
        assert listed(client, f"country={make_country('DE', 'Germany').pk}") == [shut.company]
        assert listed(client, "last=quiet") == [order.company.name]

    def test_money_is_counted_once_however_many_people_a_customer_has(self):
        buyer = make_buyer()
        make_user(company=Company.objects.get(pk=buyer.company_id))
        order = make_wire_order(buyer)
        (row,) = staff_client("Sales").get(LIST).context["cl"].result_list
        assert (row.open_orders, row.open_money) == (1, order.deposit)

    def test_each_choice_says_how_many_customers_it_finds(self):
        quiet, owing, late = make_buyer(), make_buyer(), make_buyer()
        Company.objects.filter(pk=quiet.company_id).update(
            is_open=False, country=make_country("DE", "Germany")
        )
        make_wire_order(owing)
        order = make_confirmed_order(late)
        Order.objects.filter(pk=order.pk).update(due_at=timezone.now() - timedelta(days=1))
        corrected = {"kind": "correction", "at": timezone.now()}
        for one, amount in ((owing, 5), (owing, -2), (late, 5), (late, -5)):
            WalletEntry.objects.create(company_id=one.company_id, amount=amount, **corrected)
        client = staff_client("Sales")
        assert listed(client, "money=wallet") == [owing.company]
        page = client.get(f"{LIST}?money=overdue")
        counts = {
            spec.title: {one["display"]: one["count"] for one in spec.choices(page.context["cl"])}
            for spec in page.context["cl"].filter_specs
        }
        assert counts == {
            "state": {"Any": 3, "Open": 2, "Closed": 1},
            "money": {"Any": 3, "Outstanding": 2, "Overdue": 1, "Wallet balance": 1},
            "last order": {"Any": 3, "In 90 days": 2, "Over 90 days ago": 0, "Never ordered": 1},
            "terms": {
                "Any": 3,
                "Own deposit share": 0,
                "Some brands only": 0,
                "May order beyond stock": 0,
            },
            "country": {"Any": 3, "Germany": 1},
        }
        assert 'Overdue <span class="late">1</span>' in page.text
        for value, label in (("open", "Outstanding"), ("overdue", "Overdue")):
            assert len(listed(client, f"money={value}")) == counts["money"][label]

    def test_an_approver_sees_no_money(self):
        order = make_wire_order(make_buyer())
        page = staff_client("Approvers").get(LIST)
        assert "sums" not in page.context
        assert f"{order.deposit:,.2f}" not in page.text


def test_what_is_open_of_a_list_is_what_is_due_of_each_order_and_what_its_buyer_is_told():
    buyer = make_buyer()
    orders = [make_order_at(status, buyer) for status in OrderStatus]
    receive(orders[OrderStatus.CONFIRMED], Decimal("12.34"))
    due = what_is_due(buyer=buyer, now=timezone.now())["owed"]
    assert due == Order.objects.aggregate(open=Sum(OPEN_MONEY))["open"]
    for order in Order.objects.annotate(open=OPEN_MONEY):
        is_priced = order.status >= OrderStatus.CONFIRMED
        due = due_of(order) if is_priced else order.deposit - order.deposit_received
        expected = 0 if order.status == OrderStatus.CANCELLED else max(0, due)
        assert order.open == expected, order.status


class TestPage:
    def test_sales_see_orders_money_and_people(self, django_assert_max_num_queries):
        buyer, now = make_buyer(), timezone.now()
        User.objects.filter(pk=buyer.id).update(last_login=datetime(2026, 11, 20, 1, tzinfo=UTC))
        order, waits = make_confirmed_order(buyer), make_wire_order(buyer)
        Order.objects.filter(pk=order.pk).update(
            due_at=now - timedelta(days=1), status_at=now - timedelta(days=12)
        )
        twelve = sum(
            tally.total for tally in OrderTally.objects.filter(bucket=last_months(now)[-1])
        )
        before = {"company_id": buyer.company_id, "bucket": last_months(now, before=12)[0]}
        OrderTally.objects.create(**before, total=twelve / 2, count=1)
        keep_note(order_id=order.pk, text="Pays by wire only", actor=make_sales(), now=now)
        client = staff_client("Sales")
        client.get(page_of(buyer.company_id))
        with django_assert_max_num_queries(30):
            page = client.get(page_of(buyer.company_id))
        assert page.context["overdue_count"] == 1
        assert page.context["balances"] == due_of(order)
        assert page.context["deposits"] == waits.deposit
        assert page.context["sums"]["open"] == due_of(order) + waits.deposit
        assert (page.context["twelve_months"], page.context["change"]) == (twelve, 100)
        assert page.context["statuses"][2]["age"] == "12 d"
        assert [row["order"].pk for row in page.context["open_orders"]] == [order.pk, waits.pk]
        for text in ("Pays by wire only", buyer.email, "2026-11-20 10:00", order.invoice_code):
            assert text in page.text

    def test_credits_that_nobody_booked_and_that_look_like_theirs_are_listed(self):
        buyer = make_buyer()
        code = make_confirmed_order(buyer).invoice_code
        credit = {"value_date": date(2026, 11, 20), "currency": "USD", "ordinal": 1}
        theirs = BankCredit.objects.create(**credit, amount=7, debtor="G L", text=code)
        BankCredit.objects.create(**credit, amount=8, debtor="Somebody", text="Rent")
        booked = {**credit, "booked_at": timezone.now()}
        BankCredit.objects.create(**booked, amount=9, debtor="G L", text=code)
        page = staff_client("Sales").get(page_of(buyer.company_id))
        assert [found.pk for found in page.context["credits"]] == [theirs.pk]
        assert f"/admin/payments/payment/desk/credits/{theirs.pk}/" in page.text

    def test_an_approver_sees_terms_and_people_alone(self):
        buyer = make_buyer()
        order = make_order(buyer)
        now = timezone.now()
        keep_note(order_id=order.pk, text="Pays by wire only", actor=make_sales(), now=now)
        page = staff_client("Approvers").get(page_of(buyer.company_id))
        assert buyer.email in page.text
        for text in (order.invoice_code, "Pays by wire only", "Wallet"):
            assert text not in page.text

    @pytest.mark.parametrize(
        ("approval", "state", "once_closed"),
        [
            ("approved", "Open", "Closed"),
            ("pending", "To decide", "To decide"),
            ("rejected", "Rejected", "Rejected"),
        ],
    )
    def test_it_says_the_state(self, approval: str, state: str, once_closed: str):
        page, client = page_of(make_user(approval=approval).company_id or 0), staff_client()
        assert client.get(page).context["state"] == state
        Company.objects.update(is_open=False)
        assert client.get(page).context["state"] == once_closed

    def test_the_form_is_one_press_away_and_leads_back(self):
        company = make_company(name="Glow")
        client = staff_client("Approvers")
        assert 'name="name"' in client.get(page_of(company.pk, "change/?edit=1")).text
        inline = {f"brand_access-{name}": 0 for name in ("TOTAL_FORMS", "INITIAL_FORMS")}
        answer = client.post(
            page_of(company.pk, "change/?edit=1"), {"name": "Glow Ltd", "is_open": "on", **inline}
        )
        assert answer.headers["Location"] == page_of(company.pk)
        assert "Glow Ltd" in client.get(page_of(company.pk)).text

    def test_who_may_set_prices_chooses_the_group_and_the_history_says_so(self):
        gold, silver = (
            make_price_group(-10, name=name, deposit_rate="0.50") for name in ("Gold", "Silver")
        )
        company = make_company(price_group=gold)
        address, client = page_of(company.pk, "price-group/"), staff_client("Sales")
        assert "the group&#x27;s 50 % of the subtotal" in client.get(page_of(company.pk)).text
        assert staff_client("Approvers").post(address, {"group": ""}).status_code == 403
        for group in (silver.pk, silver.pk, ""):
            client.post(address, {"group": group})
        company.refresh_from_db()
        assert company.price_group is None
        page = client.get(page_of(company.pk)).text
        assert "Price group Gold → Silver" in page
        assert "Price group Silver → –" in page

    def test_a_product_that_was_bought_every_week_and_then_not_is_named(self):
        buyer, (cream, stick), now = make_buyer(), (make_product(), make_product()), timezone.now()
        for days in (70, 63, 56):
            make_order(buyer, [(cream, 10)], now=now - timedelta(days=days))
        for days in (70, 35, 1):
            make_order(buyer, [(stick, 10)], now=now - timedelta(days=days))
        (quiet,) = not_bought_for_long(Company.objects.get(pk=buyer.company_id), now=now)
        assert quiet["product_id"] == cream.pk
        assert (quiet["weeks"], quiet["every"], quiet["pieces"]) == (8, 1, 10)


class TestNotes:
    def test_both_groups_keep_notes(self):
        company = make_company()
        for group in ("Sales", "Approvers"):
            client = staff_client(group, manager=f"{group} person")
            client.post(page_of(company.pk, "note/"), {"text": f"Noted by {group} <b>"})
            assert f"Noted by {group} &lt;b&gt;" in client.get(page_of(company.pk)).text

    @pytest.mark.parametrize("text", ["", " \n", "x" * 2001])
    def test_nothing_and_too_much_are_refused(self, text: str):
        with pytest.raises(TextRefused):
            keep_company_note(
                company_id=make_company().pk, text=text, actor=make_sales(), now=timezone.now()
            )
        assert not CompanyEvent.objects.exists()


def paste(client: Any, buyer: Any, text: str) -> Any:
    """Paste a message for a customer, and send what is shown of it."""
    page = page_of(buyer.company_id, "message/")
    body = {"user": buyer.id, "text": text, "send": "1"}
    seen = client.post(page, body).context["form"].data["seen"]
    return client.post(page, {**body, "seen": seen}, follow=True)


def test_a_pasted_message_is_mailed_once_and_takes_the_place_of_no_list(buyer):
    make_product(sku="ABC-1")
    client = staff_client("Sales")
    for _ in range(2):
        paste(client, buyer, "ABC-1 20 pcs")
    mail = Email.objects.get(subject="Your list is ready: please check it")
    listed = ListInHand.objects.get()
    assert (mail.to, listed.user_id, listed.rows) == ([buyer.email], buyer.id, 1)
    assert f"list={listed.uuid}" in str(mail.context)
    refused = paste(client, buyer, "ABC-1 30 pcs").text
    assert f"{buyer.manager} has “{listed.name}”" in refused
    assert bytes(ListInHand.objects.get().content) == b"ABC-1 20 pcs"
    assert Email.objects.count() == 1


def share_of(company_id: int, share: str, **fields: Any) -> dict[str, Any]:
    return {"share": share, "reason": "A good customer", "seen": "", **fields}


class TestDepositShare:
    def test_it_holds_from_the_next_order_on(self, api: ContractClient, buyer):
        before = make_draft(buyer)
        client = staff_client()
        client.post(page_of(buyer.company_id, "deposit/"), share_of(buyer.company_id, "35"))
        company = Company.objects.get(pk=buyer.company_id)
        assert company.deposit_rate == Decimal("0.35")
        after = make_draft(buyer_of(User.objects.get(pk=buyer.id)))

        def deposit(draft: Any) -> Any:
            quote = api.get(f"/api/temp-order-info/stock/{draft.invoice_code}").json()
            return quote["result"]["temp_order"]["deposit"]

        assert deposit(before) == float(before.total)
        assert deposit(after) == float(after.total * Decimal("0.35"))
        page = client.get(page_of(company.pk))
        assert "the standard 100 % → 35 %: A good customer" in page.text
        client.post(page_of(company.pk, "deposit/"), share_of(company.pk, "", seen="0.35"))
        assert Company.objects.get(pk=company.pk).deposit_rate is None
        assert [entry.get_change_message() for entry in LogEntry.objects.order_by("pk")] == [
            "Deposit share the standard 100 % → 35 %",
            "Deposit share 35 % → the standard 100 %",
        ]

    @pytest.mark.parametrize(
        ("share", "reason"), [("-1", "x"), ("101", "x"), ("x", "x"), ("", "x"), ("50", " ")]
    )
    def test_what_cannot_be_is_refused(self, share: str, reason: str):
        company = make_company()
        fields = share_of(company.pk, share, reason=reason)
        assert staff_client().post(page_of(company.pk, "deposit/"), fields).status_code == 200
        assert not CompanyEvent.objects.exists()

    def test_a_colleague_was_quicker(self):
        company = make_company()
        Company.objects.update(deposit_rate="0.50")
        client = staff_client()
        page = client.post(page_of(company.pk, "deposit/"), share_of(company.pk, "35"))
        assert "It is now 50 %." in shown_messages(page)[0]
        seen_value = page.context["form"]["seen"].value()
        again = share_of(company.pk, "35", seen=seen_value)
        assert client.post(page_of(company.pk, "deposit/"), again).status_code == 302

    def test_only_who_holds_the_right_sets_it(self):
        company, person = make_company(), staff_in("Sales")
        set_it: dict[str, Any] = {"company_id": company.pk, "reason": "x", "now": timezone.now()}
        set_it |= dict.fromkeys(("rate", "seen"))
        with pytest.raises(PermissionDenied):
            set_deposit_share(actor=person, **set_it)
        assert staff_client("Sales").get(page_of(company.pk, "deposit/")).status_code == 403
        person.groups.add(Group.objects.get(name="Deposit shares"))
        with pytest.raises(TermsRefused):  # it is the standard already: asked, and answered
            set_deposit_share(actor=User.objects.get(pk=person.pk), **set_it)

    def test_the_database_keeps_no_share_beyond_the_whole(self):
        company = make_company()
        for rate in ("-0.01", "1.01"):
            with pytest.raises(IntegrityError), transaction.atomic():
                Company.objects.filter(pk=company.pk).update(deposit_rate=rate)


def test_the_list_is_exported_as_it_is_filtered_to_each_group_what_it_may_see():
    buyer, closed = make_buyer(), make_buyer()
    order = make_confirmed_order(buyer)
    Company.objects.filter(pk=closed.company_id).update(is_open=False)
    names = {company.pk: company.name for company in Company.objects.all()}
    head, row = csv_lines(staff_client("Sales").get(f"{LIST}export.csv?state=open"))
    assert head.startswith("Customer,Country,Price group,State,Open orders")
    assert row.startswith(names[buyer.company_id])
    assert f"{due_of(order)}" in row
    rows = csv_lines(staff_client("Approvers").get(f"{LIST}export.csv"))
    assert rows[0] == "Customer,Country,Price group,State"
    assert len(rows) == 3
    assert "XLSX" in staff_client("Sales").get(LIST).text
