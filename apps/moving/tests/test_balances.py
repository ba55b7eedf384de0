from decimal import Decimal

import pytest
from django.contrib.auth.models import Permission

from apps.accounts.tests.factories import make_company, make_user
from apps.accounts.tests.staff import staff_in
from apps.catalog.tests.import_files import applied, undone
from apps.moving.tests.moving_files import book, digest, results, sent
from apps.payments.models import WalletEntry
from apps.payments.selectors import wallet_balance

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
    assert [(result, said) for _, result, said in results(again)] == [
        ("same", ""),
        ("faulty", "its opening balance is $12.00 already"),
    ]
    undone(source)
    assert source.state == "undone"
    assert digest() == before


def test_a_balance_that_was_used_stays_and_is_named():
    rose = make_company(name="Rose Ltd")
    source = applied(opened(("Rose Ltd", "", 50, "", "", "")))
    WalletEntry.objects.create(
        company=rose, kind="correction", amount=-20, at=source.created_at, actor=source.created_by
    )
    undone(source)
    assert wallet_balance(company_id=rose.pk) == 30
    assert "Rose Ltd" in source.remark


@pytest.mark.parametrize(
    ("row", "remark"),
    [
        (("Gone", "", 5, "", "", ""), "no customer has this name"),
        (("Rose Ltd", "", "", "", "", ""), "the balance is missing"),
        (("Rose Ltd", "", 0, "", "", ""), "Balance ($): 0.00 is no balance"),
        (
            ("Rose Ltd", "", "-5", "", "", ""),
            "Balance ($): what a customer owes is no credit; it belongs to an open order",
        ),
        (("Rose Ltd", "", "₩5,000", "", "", ""), "Balance ($): “₩5,000” is not in US dollars"),
        (("Rose Ltd", "", 5, "KRW", "", ""), "Currency: “KRW” is not in US dollars"),
        (("Rose Ltd", "", 5, "", "03/04/2026", ""), "As of: “03/04/2026” is no day as 2026-11-30"),
        (("Rose Ltd", "", 5, "", "2999-01-01", ""), "2999-01-01 is not yet"),
        (("Rose Ltd", "bo@lumen.test", 5, "", "", ""), "bo@lumen.test is nobody of this customer"),
    ],
)
def test_what_cannot_be_right_is_left_out_with_the_reason(row, remark):
    make_company(name="Rose Ltd")
    make_user(email="bo@lumen.test", company=make_company(name="Lumen"))
    assert [said for _, _, said in results(opened(row))] == [remark]


def test_a_customer_who_stands_twice_is_not_credited():
    make_company(name="Rose Ltd")
    source = opened(("Rose Ltd", "", 5, "", "", ""), ("ROSE LTD", "", 5, "", "", ""))
    assert {(result, said) for _, result, said in results(source)} == {
        ("faulty", "this customer stands in the rows 2, 3")
    }
