from decimal import Decimal
from functools import partial

import pytest
from django.contrib.auth.models import Permission
from django.core.management import call_command
from django.utils import timezone
from django.utils.translation import override

from apps.accounts.models import User
from apps.accounts.tests.factories import make_company, make_user
from apps.accounts.tests.staff import staff_in
from apps.catalog.models import Running
from apps.catalog.services.imports import discard_import, questions_of
from apps.catalog.tests.import_files import answered, applied, book, undone
from apps.common.texts import read
from apps.moving.kinds.balances import BalanceKind
from apps.moving.tests import moving_files
from apps.moving.tests.moving_files import digest, results
from apps.orders.models import Order
from apps.orders.selectors.orders import due_of
from apps.payments.models import WalletEntry
from apps.payments.selectors import wallet_balance

sent = partial(moving_files.sent, kind="balances")
pytestmark = pytest.mark.django_db
HEAD = ("거래처명", "이메일", "예치금 잔액", "통화", "기준일", "비고")


def owner():
    """Return a member of staff who may correct wallets."""
    staff = staff_in("Sales")
    staff.user_permissions.add(Permission.objects.get(codename="add_walletentry"))
    return type(staff).objects.get(pk=staff.pk)


def opened(*rows):
    """Return the import of these rows."""
    return sent(book(a=[HEAD, *rows]), actor=owner())


def test_balances_come_into_wallets_and_go_again():
    rose, lumen = make_company(name="Rose Ltd"), make_company(name="Lumen")
    staff = owner()
    before = digest()
    rows = [
        HEAD,
        ("rose  ltd", "", "1,320.50", "USD", "2026-11-02", "과입금"),
        ("Lumen", "", 12, "", "", ""),
        ("합계", "", 1332.5, "", "", ""),
    ]
    source = sent(book(a=[("2026 예치금",), *rows]), actor=staff)
    assert [result for _, result, _ in results(source)] == ["left", "new", "new", "left"]
    applied(source)
    entry = WalletEntry.objects.get(company=rose)
    assert (entry.kind, entry.amount, entry.note) == ("opening", Decimal("1320.50"), "과입금")
    assert f"{entry.at:%Y-%m-%d %H}" == "2026-11-01 15"  # midnight in Seoul
    assert wallet_balance(company_id=lumen.pk) == 12
    again = sent(book(a=[HEAD, ("Rose Ltd", "", 1320.5), ("Lumen", "", 13)]), actor=staff)
    assert [(result, remark) for _, result, remark in results(again)] == [
        ("same", ""),
        ("faulty", "its opening balance is $12.00 already"),
    ]
    undone(source)
    assert source.state == "undone"
    assert digest() == before


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_template_is_known_for_balances_by_itself(language):
    with override(language):
        content = BalanceKind().template()
    staff = staff_in()
    staff.is_superuser = True
    staff.save()
    assert sent(content, actor=staff).kind == "balances"


def test_a_balance_that_was_used_stays_and_is_named():
    rose = make_company(name="Rose Ltd")
    source = applied(opened(("Rose Ltd", "", 50, "", "", "")))
    WalletEntry.objects.create(
        company=rose, kind="correction", amount=-20, at=source.created_at, actor=source.created_by
    )
    undone(source)
    assert wallet_balance(company_id=rose.pk) == 30
    assert read(source.remark) == "Not deleted, because something names them: Rose Ltd."
    remark = "in use, so it stays: Rose Ltd (payments from the wallet)"
    assert read(source.rows.get().remark) == remark


@pytest.mark.parametrize(
    ("row", "remark"),
    [
        (("Gone", "", 5, "", "", ""), "no customer has this name"),
        (("Rose Ltd", "", "", "", "", ""), "no balance in US dollars"),
        (("Rose Ltd", "", 0, "", "", ""), "0.00 is no balance"),
        (("Rose Ltd", "", "-5", "", "", ""), "waits for the answer to a question"),
        (("Rose Ltd", "", "₩5,000", "", "", ""), "Credit ($): “₩5,000” is not in US dollars"),
        (("Rose Ltd", "", 5, "KRW", "", ""), "Currency: “KRW” is not in US dollars"),
        (("Rose Ltd", "", 5, "", "33/04/2026", ""), "“33/04/2026” is not a date like 2026-11-30"),
        (("Rose Ltd", "", 5, "", "03/04/2026", ""), "waits for the answer to a question"),
        (("Rose Ltd", "", 5, "", "2999-01-01", ""), "2999-01-01 is not yet"),
        (
            ("Rose Ltd", "bo@lumen.test", 5, "", "", ""),
            "bo@lumen.test is not a user of this customer",
        ),
    ],
)
def test_what_cannot_be_right_is_left_out_with_the_reason(row, remark):
    make_company(name="Rose Ltd")
    make_user(email="bo@lumen.test", company=make_company(name="Lumen"))
    assert [said for _, _, said in results(opened(row))] == [remark]


def test_a_year_of_two_figures_is_asked_once_for_the_file():
    make_company(name="Rose Ltd")
    make_company(name="Lumen")
    source = opened(("Rose Ltd", "", 5, "", "26.10.18", ""), ("Lumen", "", 6, "", "31. 2. 30.", ""))
    (question,) = questions_of(source).values()
    assert read(question.text) == "Which comes first in dates such as “26.10.18”?"
    assert [key for key, _ in question.choices] == ["month", "day", "year"]
    source = answered(source, {"days 2": "year"})
    assert [remark for _, _, remark in results(source)] == [
        "",
        "“31. 2. 30.” is not a date like 2026-11-30",
    ]
    source = applied(source)
    assert timezone.localdate(WalletEntry.objects.get().at).isoformat() == "2026-10-18"


def test_debts_come_in_as_orders_and_go_again(capsys):
    rose, lumen = make_company(name="Rose Ltd"), make_company(name="Lumen")
    ann = make_user(email="ann@rose.test", company=rose)
    staff, before = owner(), digest(besides=("catalog.catalogchange",))
    head = ("Company", "Receivable", "As of", "Remark")
    rows = [("Rose Ltd", 320.5, "2026-10-31", "samples"), ("Lumen", 8, "", "")]
    source = sent(book(a=[head, *rows]), actor=staff)
    assert read(questions_of(source)["debts"].text) == "How does what customers owe you come in?"
    source = applied(answered(source, {"debts": "debt"}))
    assert [remark for _, _, remark in results(source)] == ["", "Lumen has no people"]
    order = Order.objects.get()
    assert (order.user, order.status, due_of(order)) == (ann, 3, Decimal("320.50"))
    assert (order.former_number, order.is_back_order) == (f"BALANCE-{rose.pk}", False)
    assert timezone.localdate(order.placed_at).isoformat() == "2026-10-31"
    assert order.lines.get().product.is_running == Running.HIDDEN
    call_command("audit")
    again = answered(sent(book(a=[head, *rows]), actor=staff), {"debts": "debt"})
    assert again.rows.get(number=2).result == "same"
    discard_import(import_id=again.pk, actor=staff)
    make_user(email="bo@lumen.test", company=lumen)
    more = applied(answered(sent(book(a=[head, *rows]), actor=staff), {"debts": "debt"}))
    assert Order.objects.count() == 2
    undone(more)
    User.objects.filter(email="bo@lumen.test").delete()
    assert undone(source).state == "undone"
    assert digest(besides=("catalog.catalogchange",)) == before


def test_debts_are_left_out_where_that_is_said_and_what_may_be_either_is_asked():
    for name in ("Rose Ltd", "Lumen", "Glow", "Sun", "Moon"):
        make_company(name=name)
    head = ("거래처", "구분", "금액")
    rows = [("Rose", "선수금", 5), ("Lumen", "미수금", 6), ("Glow", "", -7), ("Sun", "기타", 8)]
    both = [("거래처", "Advance received", "미수금"), ("Moon", 4, 9), ("Lumen", "", -3)]
    source = sent(book(a=[head, *rows], b=both), actor=owner())
    assert [remark for _, _, remark in results(source)] == [
        *["waits for the answer to a question"] * 4,
        "it has a credit and a debt: keep the one that is its opening balance",
        "",
    ]
    answers = {"side:선수금": "amount", "side:미수금": "debt", "side:": "debt", "side:기타": "out"}
    source = applied(answered(answered(source, answers), {"debts": "out"}))
    assert "left out, as you answered" in [remark for _, _, remark in results(source)]
    credited = WalletEntry.objects.order_by("amount").values_list("company__name", "amount")
    assert list(credited) == [("Lumen", 3), ("Rose Ltd", 5), ("Glow", 7)]


def test_of_two_currencies_that_in_dollars_is_read():
    make_company(name="Rose Ltd"), make_company(name="Lumen")
    rows = [
        ("업체", "받을 돈 (미수)", "", "줄 돈 (선입금)", "", "비고"),
        ("", "₩", "$", "₩", "$", ""),
        ("Rose", "", "", 7_000_000, 5.5, ""),
        ("Lumen", "", "", 8_000_000, "", ""),
    ]
    source = applied(sent(book(a=rows), actor=owner()))
    assert [remark for _, _, remark in results(source)][-1] == "no balance in US dollars"
    assert WalletEntry.objects.get().amount == Decimal("5.50")


def test_a_customer_who_stands_twice_is_not_credited():
    make_company(name="Rose Ltd")
    source = opened(("Rose Ltd", "", 5, "", "", ""), ("ROSE LTD", "", 5, "", "", ""))
    assert {(result, remark) for _, result, remark in results(source)} == {
        ("faulty", "this customer stands in the rows 2, 3")
    }


def test_what_is_not_in_dollars_is_refused_wherever_that_is_said():
    for name in ("Rose Ltd", "Lumen", "Glow", "Sun", "Moon"):
        make_company(name=name)
    head = ("Customer", "Credit", "In")
    sheets: dict[str, list] = {
        "by column": [head, ("Rose Ltd", 5, "USD"), ("Lumen", 3_526_000, "KRW"), ("Glow", 4, "")],
        "by title": [("Credits KRW, 30 Sep",), head[:2], ("Sun", 9_000)],
        "€": [head[:2], ("Moon", 8)],
    }
    source = applied(sent(book(**sheets), actor=owner()))
    sentence = "“%s” is not in US dollars. Send a file with US dollars."
    assert [remark for _, result, remark in results(source) if result != "new"] == [
        "Currency: “KRW” is not in US dollars",
        "Currency: it is missing",
        *[sentence % "Credits KRW, 30 Sep"] * 3,
        *[sentence % "€"] * 2,
    ]
    assert list(WalletEntry.objects.values_list("company__name", "amount")) == [("Rose Ltd", 5)]
