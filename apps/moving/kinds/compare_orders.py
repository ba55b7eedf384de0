"""Open orders of a file: which rows are one order, and whether it can enter as it is written."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from apps.accounts.models import Company, User
from apps.catalog.models import ImportRow, Product, Stock
from apps.catalog.rules import ean_of
from apps.common.money import ZERO, dollars
from apps.common.printed import printing_faults
from apps.common.tables.cells import CellFault
from apps.common.texts import Text
from apps.moving.kinds.columns import (
    CODE,
    COMPANY,
    CURRENCY,
    CURRENCY_COLUMN,
    DOLLAR,
    EMAIL,
    OTHER,
)
from apps.moving.kinds.currencies import MISSING, foreign_line, not_in_dollars
from apps.moving.kinds.customers import Customers
from apps.moving.kinds.days import Days
from apps.moving.kinds.order_columns import (
    BALANCE,
    BALANCE_DAY,
    BALANCE_SAID,
    BELOW,
    CODED,
    COLUMNS,
    DAY,
    DEPOSIT,
    DEPOSIT_DAY,
    DEPOSIT_SAID,
    DISCOUNT,
    DUE,
    FEE,
    GONE,
    NUMBER,
    OF_ORDER,
    PAYMENT,
    PIECES,
    PO,
    PRICE,
    RECEIVED,
    REMARK,
    SKU,
    STATUS,
    TOTAL,
    VALUE,
    WHOLE,
    status_of,
)
from apps.moving.services.rows import (
    OUT,
    UNCLEAR,
    Asked,
    hold,
    leave,
    leave_out,
    refuse,
    sheet_name,
    sheets_of,
)
from apps.orders.models import Order
from apps.orders.models.orders import MAX_PO_NUMBER
from apps.orders.status import OPEN, OrderStatus

Result = ImportRow.Result
S = OrderStatus
DAYS = (DAY, DEPOSIT_DAY, BALANCE_DAY)
PRICED = (PIECES, PRICE, VALUE)
OF_WHOM = (COMPANY, CODE, DAY)
CANCELLED_LINE = re.compile(r"취소|품절|cancel", re.IGNORECASE)
CAME, DUE_YET, REST = "came", "due", "rest"
LEAVE_ORDERS = (OUT, Text(_("Leave these orders out")))
STATUSES = [
    (str(int(S.RECEIVED)), Text(_("Received: the deposit is awaited"))),
    (str(int(S.PREPARING)), Text(_("Preparing: pieces and fee are not settled"))),
    (str(int(S.CONFIRMED)), Text(_("Confirmed: the balance is awaited"))),
    (str(int(S.PAID)), Text(_("Paid whole: waits to be shipped"))),
    LEAVE_ORDERS,
]


class Aside(Exception):
    """An order that is left out as was answered, or waits for an answer."""

    def __init__(self, answer: str) -> None:
        super().__init__()
        self.answer = answer


@dataclass
class Found:
    """An order of the file: its rows, what they say of it, the pieces of its products."""

    number: str  # behind UNCLEAR where the file gives none
    rows: list[ImportRow] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    others: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))
    lines: list[dict[str, Any]] = field(default_factory=list)

    @property
    def goods(self) -> Decimal:
        """Return the sum of its lines in US dollars."""
        return sum((Decimal(one["price"]) * one["pieces"] for one in self.lines), ZERO)

    def amount(self, name: str) -> Decimal:
        """Return an amount of the order in US dollars; 0.00 where none is said."""
        return Decimal(self.values.get(name) or "0")

    @property
    def name(self) -> str:
        """Return what the order is called: its number, or its customer and day."""
        if not self.number.startswith(UNCLEAR):
            return self.number
        names = (self.values.get(COMPANY) or self.values.get(CODE, ""), self.values.get(DAY, ""))
        return " ".join(filter(None, map(str, names)))[:MAX_PO_NUMBER]


class Comparison:
    """Compares the rows of a file, in their order."""

    def __init__(self, rows: Sequence[ImportRow], asked: Asked) -> None:
        self.rows, self.asked, self.customers = rows, asked, Customers(rows, asked)
        codes = {row.new[SKU].upper() for row in rows if SKU in row.new}
        eans = {ean for code in codes if (ean := ean_of(code))}
        self.products = {_bare(one.sku): one for one in Product.objects.all()} if codes else {}
        self.products |= {str(one.ean): one for one in Product.objects.filter(ean__in=eans)}
        self.free: dict[int, int] = dict(
            Stock.objects.values_list("product_id", F("on_hand") - F("allocated"))
        )
        numbers = {row.new[NUMBER] for row in rows if NUMBER in row.new}
        there = Order.objects.filter(former_number__in=numbers)
        self.there = dict(there.values_list("former_number", "invoice_code"))
        said = [row.new[name] for row in rows for name in DAYS if name in row.new]
        self.days = Days(said, asked, today=timezone.localdate())
        words = [str(row.new[STATUS]).lstrip(UNCLEAR) for row in rows if STATUS in row.new]
        self.coded = {found[1]: found[2] for word in words if (found := CODED.fullmatch(word))}
        self.orders: dict[str, Found] = {}
        self.has_others = any(row.new.get(CURRENCY, DOLLAR) != DOLLAR for row in rows)

    def run(self) -> None:
        """Compare each order."""
        for sheet in sheets_of(self.rows):
            self._sheet(list(sheet))
        for found in self.orders.values():
            self._order(found)

    def _sheet(self, rows: list[ImportRow]) -> None:
        """Give each row of a sheet to its order; where no line has a number, what stands around
        them is of one order.
        """
        lines = [row for row in rows if SKU in row.new]
        name = sheet_name(rows[0])
        is_foreign = foreign_line([name]) and not any(CURRENCY in row.new for row in rows)
        last: Found | None = None
        if lines and not any(NUMBER in row.new for row in lines):
            numbers = [row.new[NUMBER] for row in rows if NUMBER in row.new]
            last = self._found(numbers[0] if numbers else f"{UNCLEAR}{rows[0].place}")
        for row in rows:
            if is_foreign:
                refuse(row, Text(OTHER, cell=name))
            elif (currency := row.new.get(CURRENCY, DOLLAR)) != DOLLAR:
                refuse(row, not_in_dollars(currency))
            if number := row.new.get(NUMBER, ""):
                last = self._found(number)
            elif SKU in row.new and last is not None and self._is_another(row, last):
                last = self._found(f"{UNCLEAR}{row.place}")
            if last is None:
                refuse(row, Text("Former number: it is missing"))
                continue
            self._row(row, last)

    def _found(self, number: str) -> Found:
        return self.orders.setdefault(number, Found(number))

    @staticmethod
    def _is_another(row: ImportRow, last: Found) -> bool:
        """Return whether a line without a number begins another order: it names its customer or its
        day, another one.
        """
        names = [name for name in OF_WHOM if name in row.new]
        return any(name in last.values and last.values[name] != row.new[name] for name in names)

    def _row(self, row: ImportRow, found: Found) -> None:
        said, row.new = row.new, {}
        row.sku = f"{found.name} {said.get(SKU, '')}".strip()[:60]
        row.made = {"number": found.number}
        found.rows.append(row)
        if row.result == Result.FAULTY:  # whose it is tells where the next one begins
            found.values |= {name: said[name] for name in OF_WHOM if name in said}
            return
        if SKU in said and CANCELLED_LINE.search(said.get(REMARK, "")) and found.rows[0] is not row:
            found.rows.pop()
            leave(row, Text("a line that is cancelled: %(text)s", text=said[REMARK]))
            return
        for name in (REMARK, BELOW, PAYMENT):
            if name in said:
                found.others[name].append(said)
        if PAYMENT in said:
            said = {NUMBER: found.number}
        for name in OF_ORDER:
            if name in said and name != REMARK:
                value = found.values.setdefault(name, said[name])
                if said[name] not in (value, *found.others[name]):
                    found.others[name].append(said[name])
        if any(name in said for name in (SKU, PIECES, PRICE)):
            self._line(row, found, said)

    def _line(self, row: ImportRow, found: Found, said: dict[str, Any]) -> None:
        pieces, price = said.get(PIECES), said.get(PRICE)
        if isinstance(pieces, str):
            said[PIECES] = pieces = self._of_cartons(row, said)
        if price is None and pieces and said.get(VALUE):
            each = Decimal(said[VALUE]) / pieces
            if each == round(each, 2):
                said[PRICE] = str(round(each, 2))
        product = self._product(said.get(SKU, ""))
        if product is None and SKU in said and not any(said.get(name) for name in PRICED):
            found.rows.remove(row)
            leave(row, Text(_("a text alone between the lines")))
            return
        missing = [name for name in (SKU, PIECES, PRICE) if said.get(name) is None]
        for name in missing:
            refuse(row, Text(MISSING, column=Text(COLUMNS[name].title)))
        if missing:
            return
        if product is None:
            refuse(row, Text("No product has this SKU"))
            return
        value = Decimal(said[PRICE]) * said[PIECES]
        if said.get(VALUE) and Decimal(said[VALUE]) != value:
            refuse(row, Text("pieces × price make %(sum)s", sum=dollars(value)))
        found.lines.append(
            {
                "product": product.pk,
                "pieces": said[PIECES],
                "price": said[PRICE],
                GONE: min(said.get(GONE, 0), said[PIECES]),
                "row": row,
            }
        )
        row.new = {SKU: product.sku, PIECES: said[PIECES], PRICE: said[PRICE]}

    def _product(self, code: str) -> Product | None:
        return self.products.get(_bare(code)) or self.products.get(ean_of(code) or "")

    @staticmethod
    def _of_cartons(row: ImportRow, said: dict[str, Any]) -> int | None:
        """Return the pieces of cartons as the line's sum says; None where it does not."""
        cartons, price = int(said[PIECES].lstrip(UNCLEAR)), Decimal(said.get(PRICE, "0"))
        pieces = Decimal(said.get(VALUE) or "0") / price if price else ZERO
        if not pieces or pieces != int(pieces) or not cartons or int(pieces) % cartons:
            refuse(row, Text("how many pieces are in a carton?"))
            return None
        hold(row, "cartons", Text("are %(count)s pieces, as the sum says", count=int(pieces)))
        return int(pieces)

    def _order(self, found: Found) -> None:
        if found.number in self.there:
            code = self.there[found.number]
            for row in found.rows:
                row.result, row.new = Result.FAULTY, {}
                refuse(row, Text("it is here already: %(code)s", code=code))
            return
        try:
            company, user = self._settled(found)
        except Aside as aside:
            for row in found.rows:
                row.remark = ""
                row.new = {}
                leave_out(row, aside.answer)
            return
        faulty = [row for row in found.rows if row.result == Result.FAULTY]
        if faulty or company is None or user is None:
            places = ", ".join(row.place for row in faulty[:5])
            for row in found.rows:
                row.new = {}
                if row.result not in (Result.FAULTY, Result.LEFT):
                    refuse(row, Text("its order is left out: row %(rows)s", rows=places))
            return
        self._enters(found, company, user)

    def _enters(self, found: Found, company: Company, user: User) -> None:
        first = found.rows[0]
        is_short = self._take(found)
        for row in found.rows:
            row.result = Result.NEW
            row.made = {"number": found.number, "of": first.number, "name": company.name}
        lines = [
            {name: one[name] for name in ("product", "pieces", "price")} for one in found.lines
        ]
        keep = (DAY, STATUS, TOTAL, FEE, DEPOSIT, DEPOSIT_DAY, BALANCE, BALANCE_DAY, PO, REMARK)
        values = {name: found.values[name] for name in keep if name in found.values}
        values[COMPANY] = company.name
        first.made = {**values, "number": found.number, "name": company.name, "user": user.pk}
        first.made |= {"lines": lines, "short": is_short}
        if "agreed" in found.values:
            first.made["agreed"] = found.values["agreed"]
        first.new = {**values, **first.new}

    def _settled(self, found: Found) -> tuple[Company | None, User | None]:
        """Return whose order it is, once all that it says is settled; what cannot be is a fault.

        Raises:
            Aside: it is left out, or waits for an answer.
        """
        first = found.rows[0]
        if any(row.result == Result.FAULTY for row in found.rows):
            return None, None
        if not found.lines and (found.number.startswith(UNCLEAR) or STATUS not in found.values):
            for row in found.rows:
                leave(row, Text(_("no lines of an order")))
            return None, None
        if self.has_others and CURRENCY not in found.values:
            refuse(first, Text(MISSING, column=Text(CURRENCY_COLUMN.title)))
        self._settle_days(found)
        status = self._status(found)
        if status not in OPEN:
            for row in found.rows:
                text = Text("“%(text)s” is not open any more", text=status.staff_label)
                row.new = {}
                leave(row, text)
            return None, None
        if not found.lines:
            refuse(first, Text("it has no lines"))
            return None, None
        self._name_it(found)
        self._look_twice(found)
        self._settle_conflicts(found)
        for fault in self._faults(found):
            refuse(first, fault)
        company = self.customers.find(first, found.values, found.others)
        return company, self._orderer(first, company, found.values) if company else None

    def _ask(self, key: str, text: Text, choices: Iterable[tuple[str, Text]]) -> str:
        answer = self.asked.answer(key, text, choices)
        if answer in ("", OUT):
            raise Aside(answer)
        return answer

    def _settle_days(self, found: Found) -> None:
        for name in DAYS:
            if str(found.values.get(name, "")).startswith(UNCLEAR):
                try:
                    found.values[name] = self.days.read(found.values[name])
                except CellFault as fault:
                    refuse(found.rows[0], fault.args[0])
                if not found.values[name]:
                    raise Aside("")
            found.others[name] = [
                day for day in found.others[name] if self._day(day) != found.values[name]
            ]

    def _day(self, text: str) -> str:
        try:
            return self.days.read(text) if text.startswith(UNCLEAR) else text
        except CellFault:
            return text

    def _status(self, found: Found) -> OrderStatus:
        """Return the status of an order, one that is said twice or not known as it was answered."""
        words = [found.values[STATUS], *found.others[STATUS]] if STATUS in found.values else []
        found.others[STATUS] = []
        known = {self._known(word) for word in words}
        if len(known) == 1 and None not in known:
            status = known.pop()
            assert status is not None
        else:
            said = " / ".join(dict.fromkeys(map(self._word, words)))
            text = Text("What are orders that are “%(word)s”?", word=said)
            if not words:
                below = "; ".join(one[BELOW] for one in found.others[BELOW]) or "–"
                text = Text("What is the order %(name)s? (%(below)s)", name=found.name, below=below)
            key = f"status:{said}" if words else f"status:{found.number}"
            status = OrderStatus(int(self._ask(key, text, STATUSES)))
        found.values[STATUS] = int(status)
        return status

    def _known(self, word: str | int) -> OrderStatus | None:
        if isinstance(word, int):
            return OrderStatus(word)
        return status_of(self._word(word))

    def _word(self, word: str | int) -> str:
        """Return a status as it is written, without its code (`20 입금대기`, `20`)."""
        text = str(word).lstrip(UNCLEAR)
        coded = CODED.fullmatch(text)
        return coded[2] if coded else self.coded.get(text, text)

    def _name_it(self, found: Found) -> None:
        """Give an order without a number the name of its customer and day, once that is wanted."""
        if found.number.startswith(UNCLEAR):
            place, name = found.number.lstrip(UNCLEAR), found.name
            text = Text("The order of row %(row)s has no number. How is it called?", row=place)
            self._ask(f"number:{place}", text, [("name", Text(f"“{name}”")), LEAVE_ORDERS])
            found.number = name
            if Order.objects.filter(former_number=name).exists():
                refuse(found.rows[0], Text("it is here already: %(code)s", code=name))

    def _look_twice(self, found: Found) -> None:
        """Add up the lines of a product, once that is answered."""
        seen: dict[int, dict[str, Any]] = {}
        for line in list(found.lines):
            first = seen.setdefault(line["product"], line)
            if first is line:
                continue
            text = Text(
                "Order %(name)s has a product in two lines. Do both count?", name=found.name
            )
            choices = [(CAME, Text(_("Yes, both"))), LEAVE_ORDERS]
            self._ask(f"twice:{found.number}", text, choices)
            if first["price"] != line["price"]:
                refuse(line["row"], Text("this product has two prices in the order"))
                return
            first["pieces"] += line["pieces"]
            first[GONE] += line[GONE]
            found.lines.remove(line)

    def _settle_conflicts(self, found: Found) -> None:
        """Ask which of two values counts that the rows of an order say."""
        for name, others in found.others.items():
            if name in (REMARK, BELOW, PAYMENT, COMPANY, CODE, EMAIL) or not others:
                continue
            whole = str(found.goods + found.amount(FEE))
            both = (str(one) for one in [found.values[name], *others] if one != "")
            said = list(dict.fromkeys(whole if one == WHOLE else one for one in both))
            if len(said) == 1:
                found.values[name] = said[0]
                continue
            text = Text(
                "Order %(name)s says two things of “%(title)s”. Which counts?",
                name=found.name,
                title=Text(COLUMNS[name].title),
            )
            choices = [*((one, Text(one)) for one in said), LEAVE_ORDERS]
            found.values[name] = self._ask(f"which:{found.number}:{name}", text, choices)
        remarks = dict.fromkeys(one[REMARK] for one in found.others[REMARK])
        if remarks:
            found.values[REMARK] = "; ".join(remarks)[:500]
        if found.others[BELOW]:
            below = "; ".join(one[BELOW] for one in found.others[BELOW])
            hold(found.rows[0], "below", Text("beside the lines: %(text)s", text=below[:300]))
            found.values[REMARK] = "; ".join(filter(None, [found.values.get(REMARK), below]))[:500]

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
        today = timezone.localdate().isoformat()
        for name in DAYS:
            if values.get(name, today) > today:
                faults.append(Text("%(day)s is not yet", day=values[name]))
        if found.amount(DISCOUNT):
            text = Text("a discount of %(sum)s: lower the prices of its lines",
                        sum=dollars(found.amount(DISCOUNT)))  # fmt: skip
            faults.append(text)
        with_fee = found.goods + found.amount(FEE)
        if values.get(TOTAL) and found.amount(TOTAL) not in (found.goods, with_fee):
            faults.append(Text("the lines make %(sum)s", sum=dollars(found.goods)))
        for texts in printing_faults({PO: values.get(PO)}).values():
            faults += [Text(str(text)) for text in texts]
        if faults:
            return faults
        faults += self._money(found, with_fee) or self._gone(found)
        if S(values[STATUS]) < S.CONFIRMED and found.amount(FEE):
            fee = dollars(Decimal(values.pop(FEE)))
            hold(found.rows[0], "fee", Text("the shipping fee of %(fee)s is left out", fee=fee))
        return faults or self._agreed(found)

    def _money(self, found: Found, total: Decimal) -> list[Text]:
        """Settle what came, as deposit and balance; return why it cannot be."""
        values = found.values
        if found.others[PAYMENT]:
            came = sum((Decimal(one[PAYMENT]) for one in found.others[PAYMENT]), ZERO)
            days = [one[DEPOSIT_DAY] for one in found.others[PAYMENT] if DEPOSIT_DAY in one]
            values |= {RECEIVED: str(came), DEPOSIT_DAY: max(map(self._day, days), default="")}
        self._said(found, total)
        if values.get(RECEIVED) == WHOLE:
            values[RECEIVED] = str(total)
        told = {DEPOSIT, BALANCE, RECEIVED} & values.keys()
        due = values.get(DUE) or None
        if due and Decimal(due) > total:
            return [Text("more is due than %(sum)s", sum=dollars(total))]
        if due and not told:
            values[RECEIVED] = str(total - Decimal(due))
        elif due:
            came = found.amount(RECEIVED) or found.amount(DEPOSIT) + found.amount(BALANCE)
            if came + Decimal(due) != total:
                return [Text("what came and what is due do not make %(sum)s", sum=dollars(total))]
        return _share_out(found, total) if RECEIVED in values else []

    def _said(self, found: Found, total: Decimal) -> None:
        """Settle the columns that may say what came, or what was agreed or is due."""
        for name, came, due in ((DEPOSIT_SAID, DEPOSIT, "agreed"), (BALANCE_SAID, BALANCE, DUE)):
            if not found.amount(name):
                continue
            amount = found.values[name]
            if RECEIVED in found.values and name == BALANCE_SAID:
                received = found.values[RECEIVED]
                if received != WHOLE and Decimal(received) + Decimal(amount) == total:
                    found.values[DUE] = amount
                    continue
            text = Text("What stands under “%(title)s”?", title=Text(COLUMNS[name].title))
            choices = [
                (CAME, Text(_("What came"))),
                (DUE_YET, Text(_("What was agreed, or is still due"))),
                LEAVE_ORDERS,
            ]
            answer = self._ask(name, text, choices)
            found.values[came if answer == CAME else due] = amount

    def _gone(self, found: Found) -> list[Text]:
        """Take off what was shipped before, with the money for it, once that is answered."""
        gone = sum((Decimal(one["price"]) * one[GONE] for one in found.lines), ZERO)
        if not any(one[GONE] for one in found.lines):
            return []
        choices = [
            (REST, Text(_("With what is still to ship; the money for the rest is taken off"))),
            (WHOLE, Text(_("With all pieces, as they were ordered"))),
            LEAVE_ORDERS,
        ]
        text = Text(_("How do orders come in of which a part was shipped?"))
        if self._ask("gone", text, choices) == WHOLE:
            return []
        values = found.values
        came = found.amount(DEPOSIT) + found.amount(BALANCE)
        if came < gone:
            return [Text("less came than was shipped: %(sum)s", sum=dollars(gone - came))]
        for line in found.lines:
            line["pieces"] -= line[GONE]
            line["row"].new[PIECES] = line["pieces"]
        found.lines = [line for line in found.lines if line["pieces"]]
        values.pop(TOTAL, None)
        day = values.get(BALANCE_DAY) or values.get(DEPOSIT_DAY)
        for name in (DEPOSIT, BALANCE):
            values.pop(name, None)
        values[RECEIVED] = str(came - gone)
        if day:
            values[DEPOSIT_DAY] = day
        if not found.lines:
            return [Text("all of it was shipped")]
        return _share_out(found, found.goods + found.amount(FEE))

    def _agreed(self, found: Found) -> list[Text]:
        """Ask where what came does not agree with the status; return what cannot be."""
        values = found.values
        received = found.amount(DEPOSIT) + found.amount(BALANCE)
        due = found.goods + found.amount(FEE) - received
        status = S(values[STATUS])
        if due < 0:
            return [Text("%(amount)s more came than it costs", amount=dollars(-due))]
        if status == S.PAID and due and not received:
            text = Text(_("Did the whole money come of orders that are called paid?"))
            choices = [(WHOLE, Text(_("Yes, the whole"))), *STATUSES[:3], LEAVE_ORDERS]
            if self._ask("came", text, choices) == WHOLE:
                values[BALANCE] = str(due)
                return []
            values[STATUS] = int(self._ask("came", text, choices))
            return []
        if status == S.PAID and due:
            text = Text(_("What are orders that are called paid, and have money due?"))
            choices = [*STATUSES[:3], LEAVE_ORDERS]
        elif status != S.PAID and received and not due:
            text = Text(_("What are orders that were paid whole, and are not called so?"))
            choices = [STATUSES[3], LEAVE_ORDERS]
        elif status < S.CONFIRMED and found.amount(BALANCE):
            return [Text("before it is confirmed there is no balance and no shipping fee")]
        else:
            return []
        values[STATUS] = int(self._ask("paid" if due else "unpaid", text, choices))
        return []


def _bare(sku: str) -> str:
    """Return a SKU as lists write it: in any case, with spaces, hyphens or neither."""
    return re.sub(r"[\s_-]", "", sku).upper()


def _share_out(found: Found, total: Decimal) -> list[Text]:
    """Take what was received in all for the deposit, or for the whole; return why it cannot be."""
    values, received = found.values, Decimal(found.values.pop(RECEIVED))
    if DEPOSIT in values or BALANCE in values:
        told = found.amount(DEPOSIT) + found.amount(BALANCE)
        return [] if told == received else [Text("%(sum)s came in parts", sum=dollars(told))]
    if received:
        name = BALANCE if received == total else DEPOSIT
        values[name] = str(received)
        if name == BALANCE and values.get(DEPOSIT_DAY):
            values[BALANCE_DAY] = values[DEPOSIT_DAY]
    return []
