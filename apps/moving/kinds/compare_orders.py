"""Open orders of a file: which rows are one order, and whether it can enter as it is written."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import F
from django.utils import timezone

from apps.accounts.models import Company, User
from apps.catalog.models import ImportRow, Product, Stock
from apps.catalog.rules import ean_of
from apps.common.money import ZERO, dollars
from apps.common.printed import printing_faults
from apps.common.texts import Text
from apps.moving.kinds.columns import EMAIL
from apps.moving.kinds.customers import Customers
from apps.moving.kinds.order_columns import (
    BALANCE,
    BALANCE_DAY,
    COLUMNS,
    DAY,
    DEPOSIT,
    DEPOSIT_DAY,
    FEE,
    NUMBER,
    OF_ORDER,
    PIECES,
    PO,
    PRICE,
    RECEIVED,
    SKU,
    STATUS,
    TOTAL,
    VALUE,
)
from apps.moving.services.rows import hold, refuse
from apps.orders.models import Order
from apps.orders.status import OrderStatus

Result = ImportRow.Result


@dataclass
class Found:
    """An order of the file: its rows, what they say of it, the pieces of its products."""

    number: str
    rows: list[ImportRow] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    said_in: dict[str, ImportRow] = field(default_factory=dict)
    lines: list[dict[str, Any]] = field(default_factory=list)

    @property
    def goods(self) -> Decimal:
        """Return the sum of its lines in US dollars."""
        return sum((Decimal(one["price"]) * one["pieces"] for one in self.lines), ZERO)

    def amount(self, name: str) -> Decimal:
        """Return an amount of the order in US dollars; 0.00 where none is said."""
        return Decimal(self.values.get(name, "0"))


class Comparison:
    """Compares the rows of a file, in their order."""

    def __init__(self, rows: Sequence[ImportRow]) -> None:
        self.rows, self.customers = rows, Customers(rows)
        codes = {row.new[SKU] for row in rows if SKU in row.new}
        eans = {ean for code in codes if (ean := ean_of(code))}
        self.products = {one.ean: one for one in Product.objects.filter(ean__in=eans)}
        self.products |= {one.sku: one for one in Product.objects.filter(sku__in=codes)}
        self.free: dict[int, int] = dict(
            Stock.objects.filter(product__in=self.products.values()).values_list(
                "product_id", F("on_hand") - F("allocated")
            )
        )
        numbers = {row.new[NUMBER] for row in rows if NUMBER in row.new}
        there = Order.objects.filter(former_number__in=numbers)
        self.there = dict(there.values_list("former_number", "invoice_code"))
        self.orders: dict[str, Found] = {}

    def run(self) -> None:
        """Compare each order."""
        last: Found | None = None
        sheet = 0
        for row in self.rows:
            if row.number // ImportRow.PER_SHEET != sheet:
                sheet, last = row.number // ImportRow.PER_SHEET, None
            number = row.new.get(NUMBER, "")
            if number:
                last = self.orders.setdefault(number, Found(number))
            if last is None:
                refuse(row, Text("Former number: it is missing"))
                continue
            self._row(row, last)
        for found in self.orders.values():
            self._order(found)

    def _row(self, row: ImportRow, found: Found) -> None:
        said, row.new = row.new, {}
        row.sku = f"{found.number} {said.get(SKU, '')}".strip()[:60]
        row.made = {"number": found.number}
        found.rows.append(row)
        if row.result == Result.FAULTY:
            return
        for name in OF_ORDER:
            if name not in said:
                continue
            if found.values.setdefault(name, said[name]) != said[name]:
                place, title = found.said_in[name].place, Text(COLUMNS[name].title)
                fault = Text("%(title)s: row %(row)s says otherwise", title=title, row=place)
                refuse(row, fault)
            found.said_in.setdefault(name, row)
        self._line(row, found, said)

    def _line(self, row: ImportRow, found: Found, said: dict[str, Any]) -> None:
        missing = [name for name in (SKU, PIECES, PRICE) if name not in said]
        for name in missing:
            refuse(row, Text("%(column)s: it is missing", column=Text(COLUMNS[name].title)))
        if missing:
            return
        product = self.products.get(said[SKU]) or self.products.get(ean_of(said[SKU]) or "")
        if product is None:
            refuse(row, Text("No product has this SKU"))
            return
        value = Decimal(said[PRICE]) * said[PIECES]
        if said.get(VALUE) and Decimal(said[VALUE]) != value:
            refuse(row, Text("pieces × price make %(sum)s", sum=dollars(value)))
        if any(one["product"] == product.pk for one in found.lines):
            refuse(row, Text("this product stands twice in the order"))
        found.lines.append(
            {"product": product.pk, "pieces": said[PIECES], "price": said[PRICE], "row": row}
        )
        row.new = {SKU: product.sku, PIECES: said[PIECES], PRICE: said[PRICE]}

    def _order(self, found: Found) -> None:
        first = found.rows[0]
        if found.number in self.there:
            self._same(found)
            return
        company = user = None
        if all(row.result != Result.FAULTY for row in found.rows):
            for fault in self._faults(found):
                refuse(first, fault)
            company = self.customers.find(first, found.values)
            user = self._orderer(first, company, found.values) if company else None
        faulty = [row for row in found.rows if row.result == Result.FAULTY]
        if faulty or company is None or user is None:
            places = ", ".join(row.place for row in faulty[:5])
            for row in found.rows:
                row.new = {}
                if row.result != Result.FAULTY:
                    refuse(row, Text("its order is left out: row %(rows)s", rows=places))
            return
        is_short = self._take(found)
        for row in found.rows:
            row.result = Result.NEW
            row.made = {"number": found.number, "of": first.number, "name": company.name}
        lines = [
            {name: one[name] for name in ("product", "pieces", "price")} for one in found.lines
        ]
        values = {name: value for name, value in found.values.items() if name != EMAIL}
        first.made = {**values, "number": found.number, "name": company.name, "user": user.pk}
        first.made |= {"lines": lines, "short": is_short}
        first.new = {**values, **first.new}

    def _same(self, found: Found) -> None:
        code = self.there[found.number]
        for row in found.rows:
            row.result, row.new = Result.FAULTY, {}
            refuse(row, Text("it is here already: %(code)s", code=code))

    def _orderer(self, row: ImportRow, company: Company, values: dict[str, Any]) -> User | None:
        """Return who ordered: whose address stands there, or the first person of the company."""
        if EMAIL in values:
            return self.customers.people[values[EMAIL]]
        people = list(company.users.filter(is_active=True).order_by("pk")[:2])
        if not people:
            refuse(row, Text("%(company)s has no people", company=company.name))
            return None
        if len(people) > 1:
            text = Text(
                "%(company)s has several people: %(email)s is taken",
                company=company.name,
                email=people[0].email,
            )
            hold(row, "who", text)
        return people[0]

    def _take(self, found: Found) -> bool:
        """Hold the lines back that go beyond the shelf, those above them in the file counted."""
        is_short = False
        for line in found.lines:
            left = self.free.get(line["product"], 0) - line["pieces"]
            self.free[line["product"]] = left
            if left < 0:
                hold(line["row"], "short", Text("%(count)s pieces are missing", count=-left))
                is_short = True
        return is_short

    def _faults(self, found: Found) -> list[Text]:
        """Return what cannot be of an order whose rows can be read."""
        values, faults = found.values, []
        if STATUS not in values:
            return [Text("%(column)s: it is missing", column=Text(COLUMNS[STATUS].title))]
        today = timezone.localdate().isoformat()
        for name in (DAY, DEPOSIT_DAY, BALANCE_DAY):
            if values.get(name, today) > today:
                faults.append(Text("%(day)s is not yet", day=values[name]))
        with_fee = found.goods + found.amount(FEE)
        if values.get(TOTAL) and found.amount(TOTAL) not in (found.goods, with_fee):
            faults.append(Text("the lines make %(sum)s", sum=dollars(found.goods)))
        if RECEIVED in values:
            faults += _share_out(found, with_fee)
        if OrderStatus(values[STATUS]) < OrderStatus.CONFIRMED and found.amount(FEE):
            fee = dollars(Decimal(values.pop(FEE)))
            hold(found.rows[0], "fee", Text("the shipping fee of %(fee)s is left out", fee=fee))
        for texts in printing_faults({PO: values.get(PO)}).values():
            faults += [Text(str(text)) for text in texts]
        return [*faults, *_money_faults(found, OrderStatus(values[STATUS]))]


def _share_out(found: Found, total: Decimal) -> list[Text]:
    """Take what was received in all for the deposit, or for the whole; return why it cannot be."""
    values, received = found.values, Decimal(found.values.pop(RECEIVED))
    if DEPOSIT in values or BALANCE in values:
        told = found.amount(DEPOSIT) + found.amount(BALANCE)
        return [] if told == received else [Text("%(sum)s came in parts", sum=dollars(told))]
    if received:
        name = BALANCE if received == total else DEPOSIT
        values[name] = str(received)
        if name == BALANCE and DEPOSIT_DAY in values:
            values[BALANCE_DAY] = values[DEPOSIT_DAY]
    return []


def _money_faults(found: Found, status: OrderStatus) -> list[Text]:
    """Return why what an order received does not agree with its status."""
    received = found.amount(DEPOSIT) + found.amount(BALANCE)
    due = found.goods + found.amount(FEE) - received
    if due < 0:
        return [Text("%(amount)s more came than it costs", amount=dollars(-due))]
    if status == OrderStatus.PAID and due:
        return [Text("it is not paid whole: %(amount)s are due", amount=dollars(due))]
    if status == OrderStatus.CONFIRMED and not due:
        return [Text("nothing is due: it is paid, not confirmed")]
    if status < OrderStatus.CONFIRMED and found.amount(BALANCE):  # a fee was left out above
        return [Text("before it is confirmed there is no balance and no shipping fee")]
    return []
