"""Open orders of a file: which rows are one order, and whether it can enter as it is written."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import groupby
from typing import Any

from django.db.models import F
from django.utils.translation import gettext_noop as _
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import extract

from apps.accounts.models import Company, User
from apps.accounts.selectors import buyer_of
from apps.catalog.models import ImportRow, Product, Stock
from apps.catalog.rules import ean_of
from apps.catalog.services.dollars import CURRENCY
from apps.catalog.services.import_tables import OUT, WAITING, sheet_of
from apps.common.money import ZERO, dollars
from apps.common.printed import unprinted
from apps.common.texts import Text
from apps.moving.kinds.columns import CODE, COMPANY, currency_fault
from apps.moving.kinds.customers import Customers, loose_key
from apps.moving.kinds.order_columns import (
    BALANCE,
    BALANCE_DAY,
    BALANCE_UNCLEAR,
    COLUMNS,
    DAY,
    DEPOSIT,
    DEPOSIT_DAY,
    DEPOSIT_UNCLEAR,
    DISCOUNT,
    DUE,
    FEE,
    GONE,
    NUMBER,
    OF_ORDER,
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
)
from apps.moving.kinds.rows import UNCLEAR, Days, Questions, hold, leave, leave_out, missing, refuse
from apps.orders.models import Order
from apps.orders.rules import deposit_due
from apps.orders.status import OPEN, OrderStatus

Result = ImportRow.Result
S = OrderStatus
DAYS = (DAY, DEPOSIT_DAY, BALANCE_DAY)
CANCELLED_LINE = re.compile(r"취소|품절|cancel", re.IGNORECASE)
CAME, DUE_YET = "came", "due"
ALMOST, MOST = 75, 5  # of a hundred that two SKUs have in common; SKUs that are offered
MAX_EXAMPLES = 20  # orders that a question names
FREE, NOT_YET = "free", "later"  # shipping
NO_BALANCE = _("before it is confirmed there is no balance and no shipping fee")
MONEY = (TOTAL, FEE, DEPOSIT, DEPOSIT_DAY, BALANCE, BALANCE_DAY)
COMPARED = (DAY, STATUS, *MONEY, PO, REMARK, "agreed")
LEAVE_ORDERS = (OUT, Text("Leave these orders out"))
STATUSES = [
    (str(int(S.RECEIVED)), Text("Received: the deposit is awaited")),
    (str(int(S.PREPARING)), Text("Preparing: pieces and fee are not settled")),
    (str(int(S.CONFIRMED)), Text("Confirmed: the balance is awaited")),
    (str(int(S.PAID)), Text("Paid in full: waiting to ship")),
    LEAVE_ORDERS,
]
ALL_GONE = _("all of it was shipped: what is still due comes with the opening balances")


class Aside(Exception):
    """An order that is left out as was answered, or waits for an answer."""

    def __init__(self, answer: str) -> None:
        super().__init__()
        self.answer = answer


@dataclass
class OrderDraft:
    """An order of the file: its rows, what they say of it, the pieces of its products."""

    number: str
    rows: list[ImportRow] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    lines: list[dict[str, Any]] = field(default_factory=list)

    @property
    def goods(self) -> Decimal:
        """Return the sum of its lines in US dollars."""
        return sum((Decimal(one["price"]) * one["pieces"] for one in self.lines), ZERO)

    def amount(self, name: str) -> Decimal:
        """Return an amount of the order in US dollars; 0.00 where none is said."""
        return Decimal(self.values.get(name) or "0")


class Comparison:
    """Compares the rows of a file, in their order."""

    def __init__(self, rows: Sequence[ImportRow], questions: Questions) -> None:
        self.rows, self.questions, self.customers = rows, questions, Customers(rows, questions)
        self.days = Days(DAYS, questions)
        codes = {row.new[SKU].upper() for row in rows if SKU in row.new}
        eans = {ean for code in codes if (ean := ean_of(code))}
        self.products = {_bare(one.sku): one for one in Product.objects.all()} if codes else {}
        self.products |= {str(one.ean): one for one in Product.objects.filter(ean__in=eans)}
        self.free: dict[int, int] = dict(
            Stock.objects.values_list("product_id", F("on_hand") - F("allocated"))
        )
        there = Order.objects.exclude(former_number="")
        self.there = dict(there.values_list("former_number", "invoice_code"))
        self.orders: dict[str, OrderDraft] = {}
        self.examples: dict[str, list[str]] = {}
        self.currencies = {row.new.get(CURRENCY) for row in rows if NUMBER in row.new}

    def run(self) -> None:
        """Give each row to its order, then compare each order."""
        for _sheet, rows in groupby(self.rows, sheet_of):
            last = None
            for row in rows:
                if number := row.new.get(NUMBER):
                    last = self.orders.setdefault(number, OrderDraft(number))
                elif last is None or _is_of_another(row, last):
                    refuse(row, missing(COLUMNS[NUMBER].title))
                    row.new, last = {}, None
                    continue
                self._row(row, last)
        for order in self.orders.values():
            self._order(order)

    def _row(self, row: ImportRow, draft: OrderDraft) -> None:
        cells, row.new = row.new, {}
        row.sku = f"{draft.number} {cells.get(SKU, '')}".strip()[:60]
        row.made = {"number": draft.number}
        if SKU in cells and CANCELLED_LINE.search(cells.get(REMARK, "")) and draft.rows:
            leave(row, Text("a line that is cancelled: %(text)s", text=cells[REMARK]))
            return
        draft.rows.append(row)
        others = self.currencies if NUMBER in cells else ()
        if fault := currency_fault(cells.get(CURRENCY), others):
            refuse(row, fault)
        for name in OF_ORDER:
            if name not in cells:
                continue
            former = draft.values.setdefault(name, cells[name])
            if name == REMARK and cells[name] not in former:
                draft.values[name] = f"{former}; {cells[name]}"[:500]
            elif name == COMPANY and loose_key(former) == loose_key(cells[name]):
                continue
            elif name != REMARK and former != cells[name]:
                title = Text(COLUMNS[name].title)
                refuse(row, Text("%(column)s: the order says two things", column=title))
        if row.result != Result.FAULTY and any(name in cells for name in (SKU, PIECES, PRICE)):
            self._line(row, draft, cells)

    def _line(self, row: ImportRow, draft: OrderDraft, cells: dict[str, Any]) -> None:
        lacks = [name for name in (SKU, PIECES, PRICE) if cells.get(name) is None]
        for name in lacks:
            refuse(row, missing(COLUMNS[name].title))
        if lacks:
            return
        code, price, pieces = cells[SKU], cells[PRICE], cells[PIECES]
        product = self.products.get(_bare(code)) or self.products.get(ean_of(code) or "")
        product = product or self._matched_product(row, code)
        value = Decimal(price) * pieces
        if product is None:
            return
        if cells.get(VALUE) and Decimal(cells[VALUE]) != value:
            refuse(row, Text("pieces × price is %(sum)s", sum=dollars(value)))
        elif cells.get(GONE, 0) >= pieces:
            refuse(row, Text(ALL_GONE))
        elif cells.get(GONE):
            refuse(row, Text("a part was shipped: enter what is still to ship, and its money"))
        elif same := next((one for one in draft.lines if one["product"] == product.pk), None):
            place = same["row"].place
            if Decimal(same["price"]) != Decimal(price):
                refuse(row, Text("row %(row)s has this product at another price", row=place))
                return
            same["pieces"] += pieces
            row.new = {PIECES: pieces}
            row.remark = Text("added to the pieces of row %(row)s", row=place).stored()
        else:
            line = {"product": product.pk, "pieces": pieces, "price": price, "row": row}
            draft.lines.append(line)
            row.new = {SKU: product.sku, PIECES: pieces, PRICE: price}

    def _matched_product(self, row: ImportRow, code: str) -> Product | None:
        """Return the product that an unknown SKU means, as was answered; the likeliest are offered.
        None where none is meant, or as long as that is not answered: the row is refused then.
        """
        near = extract(_bare(code), [*self.products], scorer=ratio, score_cutoff=ALMOST, limit=MOST)
        candidates = {str(one.pk): one for key, *_score in near for one in [self.products[key]]}
        text = Text("Which product is “%(sku)s”?", sku=code)
        choices = [(key, Text(f"{one.sku} {one.eng_name}")) for key, one in candidates.items()]
        answer = (
            self.questions.answer(f"sku:{code}", text, [*choices, LEAVE_ORDERS])
            if candidates
            else OUT
        )
        if answer in ("", OUT):
            refuse(row, Text("No product has this SKU") if answer else Text(WAITING))
        return candidates.get(answer)

    def _order(self, draft: OrderDraft) -> None:
        if draft.number in self.there:
            code = self.there[draft.number]
            for row in draft.rows:
                row.result, row.new = Result.FAULTY, {}
                refuse(row, Text("it is here already: %(code)s", code=code))
            return
        try:
            company, user = self._settled(draft)
        except Aside as aside:
            for row in draft.rows:
                row.remark, row.new, row.guards = "", {}, {}
                leave_out(row, aside.answer)
            return
        faulty = [row for row in draft.rows if row.result == Result.FAULTY]
        if not faulty and company and user:
            self._enters(draft, company, user)
            return
        places = ", ".join(row.place for row in faulty[:5])
        waits = faulty and all(row.remark == Text(WAITING).stored() for row in faulty)
        for row in draft.rows:
            row.new = {}
            if waits:
                row.remark = ""
                leave_out(row, "")
            elif row.result not in (Result.FAULTY, Result.LEFT):
                refuse(row, Text("its order is left out: row %(rows)s", rows=places))

    def _enters(self, draft: OrderDraft, company: Company, user: User) -> None:
        first = draft.rows[0]
        is_short = self._take(draft)
        for row in draft.rows:
            row.result = Result.NEW
            row.made = {"number": draft.number, "of": first.number, "name": company.name}
        lines = [
            {name: one[name] for name in ("product", "pieces", "price")} for one in draft.lines
        ]
        values = {name: draft.values[name] for name in COMPARED if name in draft.values}
        values[COMPANY] = company.name
        first.made = {**values, "number": draft.number, "name": company.name, "user": user.pk}
        first.made |= {"lines": lines, "short": is_short}
        first.new = {**values, **first.new}

    def _settled(self, draft: OrderDraft) -> tuple[Company | None, User | None]:
        """Return whose order it is, once all that it says is settled; what cannot be is a fault.

        Raises:
            Aside: it is left out, or waits for an answer.
        """
        first = draft.rows[0]
        if any(row.result == Result.FAULTY for row in draft.rows):
            return None, None
        status = self._status(draft)
        if status not in OPEN:
            for row in draft.rows:
                row.new = {}
                leave(row, Text("“%(text)s” is no longer open", text=status.staff_label))
            return None, None
        if not draft.lines:
            refuse(first, Text("it has no lines"))
            return None, None
        if not self.days.settle(first, draft.values):
            return None, None
        for fault in self._faults(draft):
            refuse(first, fault)
        company = self.customers.find(first, draft.values)
        user = self._orderer(first, company, draft.values) if company else None
        if user and first.result != Result.FAULTY:
            for fault in self._money_faults(draft, user):
                refuse(first, fault)
        return company, user

    def _ask(self, key: str, text: Text, choices: Iterable[tuple[str, Text]]) -> str:
        answer = self.questions.answer(key, text, choices)
        if answer in ("", OUT):
            raise Aside(answer)
        return answer

    def _status(self, draft: OrderDraft) -> OrderStatus:
        """Return the status of an order; one that is not known, or not said, as it was answered."""
        value = draft.values.get(STATUS, UNCLEAR)
        if isinstance(value, str):
            word = value.removeprefix(UNCLEAR)
            text = Text("Orders without a status: what are they?")
            if word:
                text = Text("What does the status “%(word)s” mean?", word=word)
            value = int(self._ask(f"status:{word.replace(' ', '')}", text, STATUSES))
        draft.values[STATUS] = value
        return S(value)

    def _orderer(self, row: ImportRow, company: Company, values: dict[str, Any]) -> User | None:
        """Return who ordered, which is looked at where the company has several people."""
        people = self.customers.people_for(row, company, values)
        if len(people) > 1:
            text = Text(
                "%(company)s has several people: %(email)s is taken",
                company=company.name,
                email=people[0].email,
            )
            hold(row, "who", text)
        return people[0] if people else None

    def _take(self, draft: OrderDraft) -> bool:
        """Hold the lines back that go beyond the shelf, those above them in the file counted."""
        is_short = False
        for line in draft.lines:
            remaining = self.free.get(line["product"], 0) - line["pieces"]
            self.free[line["product"]] = remaining
            if remaining < 0:
                hold(line["row"], "short", Text("%(count)s pieces are missing", count=-remaining))
                is_short = True
        return is_short

    def _faults(self, draft: OrderDraft) -> list[Text]:
        """Return what cannot be of an order whose rows can be read, its money apart."""
        faults: list[Text] = []
        if draft.amount(DISCOUNT):
            discount = dollars(draft.amount(DISCOUNT))
            text = Text("a discount of %(sum)s: lower the prices of its lines", sum=discount)
            faults.append(text)
        with_fee = draft.goods + draft.amount(FEE)
        if draft.values.get(TOTAL) and draft.amount(TOTAL) not in (draft.goods, with_fee):
            faults.append(Text("the lines add up to %(sum)s", sum=dollars(draft.goods)))
        return [*faults, *unprinted({PO: draft.values.get(PO)}).values()]

    def _money_faults(self, draft: OrderDraft, user: User) -> list[Text]:
        """Settle the money of an order with its status; return what cannot be."""
        values: dict[str, Any] = draft.values
        faults = self._money(draft, user)
        if S(values[STATUS]) < S.CONFIRMED and draft.amount(FEE):
            fee = dollars(Decimal(values.pop(FEE)))
            hold(draft.rows[0], "fee", Text("the shipping fee of %(fee)s is left out", fee=fee))
        return faults or self._agreed(draft, user) or self._fee(draft)

    def _money(self, draft: OrderDraft, user: User) -> list[Text]:
        """Settle what came, as deposit and balance; return why it cannot be."""
        values, total = draft.values, draft.goods + draft.amount(FEE)
        self._settle_unclear(draft)
        if is_whole := values.get(RECEIVED) == WHOLE:
            values[RECEIVED] = str(total)
        amounts = {DEPOSIT, BALANCE, RECEIVED} & values.keys()
        due = values.get(DUE) or None
        if due and Decimal(due) > total:
            return [Text("more is due than %(sum)s", sum=dollars(total))]
        parts = draft.amount(DEPOSIT) + draft.amount(BALANCE)
        if due and not amounts:
            values[RECEIVED] = str(total - Decimal(due))
        elif due and (draft.amount(RECEIVED) or parts) + Decimal(due) != total:
            return [
                Text(
                    "what was received and what is due do not add up to %(sum)s", sum=dollars(total)
                )
            ]
        if RECEIVED not in values:
            return []
        received = Decimal(values.pop(RECEIVED))
        if DEPOSIT in values or BALANCE in values:
            return (
                []
                if parts == received
                else [Text("%(sum)s was received in parts", sum=dollars(parts))]
            )
        if received:
            is_deposit = not is_whole and self._is_whole_deposit(received, draft, user)
            name = BALANCE if received == total and not is_deposit else DEPOSIT
            values[name] = str(received)
            if name == BALANCE and values.get(DEPOSIT_DAY):
                values[BALANCE_DAY] = values[DEPOSIT_DAY]
        return []

    def _is_whole_deposit(self, amount: Decimal, draft: OrderDraft, user: User) -> bool:
        """Return whether US dollars that came are the whole deposit of an order in Preparing."""
        if draft.values[STATUS] != S.PREPARING or draft.amount(BALANCE):
            return False
        due = deposit_due(goods=draft.goods, rate=buyer_of(user).deposit_share)
        return amount == (draft.amount("agreed") or due)

    def _settle_unclear(self, draft: OrderDraft) -> None:
        """Settle the columns that may say what came, or what was agreed or is due."""
        for name, came, due in (
            (DEPOSIT_UNCLEAR, DEPOSIT, "agreed"),
            (BALANCE_UNCLEAR, BALANCE, DUE),
        ):
            if not draft.amount(name):
                continue
            text = Text("What stands under “%(title)s”?", title=Text(COLUMNS[name].title))
            choices = [
                (CAME, Text("What came")),
                (DUE_YET, Text("What was agreed, or is still due")),
                LEAVE_ORDERS,
            ]
            answer = self._ask(name, text, choices)
            draft.values[came if answer == CAME else due] = draft.values[name]

    def _agreed(self, draft: OrderDraft, user: User) -> list[Text]:
        """Ask where what came does not agree with the status; return what cannot be."""
        values = draft.values
        received = draft.amount(DEPOSIT) + draft.amount(BALANCE)
        due = draft.goods + draft.amount(FEE) - received
        status = S(values[STATUS])
        if due < 0:
            return [Text("%(amount)s more was received than it costs", amount=dollars(-due))]
        if status == S.PAID and due and not received:
            text = Text(
                "Orders paid or ready to ship: was the whole amount received? %(orders)s",
                orders=self._examples("came", draft, due),
            )
            choices = [(WHOLE, Text("Yes, the whole")), *STATUSES[:3], LEAVE_ORDERS]
            if (answer := self._ask("came", text, choices)) == WHOLE:
                values[BALANCE] = str(due)
            else:
                values[STATUS] = int(answer)
            return []
        if status == S.PAID and due:
            text = Text(
                "Orders paid or ready to ship that still have money due: what are they? %(orders)s",
                orders=self._examples("paid", draft, due),
            )
            values[STATUS] = int(self._ask("paid", text, [*STATUSES[:3], LEAVE_ORDERS]))
        elif (
            status != S.PAID
            and received
            and not due
            and not self._is_whole_deposit(received, draft, user)
        ):
            text = Text(
                "Orders paid in full but not marked so: what are they? %(orders)s",
                orders=self._examples("unpaid", draft, received),
            )
            values[STATUS] = int(self._ask("unpaid", text, [STATUSES[3], LEAVE_ORDERS]))
        elif status < S.CONFIRMED and draft.amount(BALANCE):
            return [Text(NO_BALANCE)]
        return []

    def _examples(self, key: str, draft: OrderDraft, amount: Decimal) -> str:
        """Return the first orders that a question is about, each with its amount."""
        orders = self.examples.setdefault(key, [])
        if len(orders) < MAX_EXAMPLES:
            orders.append(f"{draft.number} ({dollars(amount)})")
        return ", ".join(orders)

    def _fee(self, draft: OrderDraft) -> list[Text]:
        """Ask whether shipping is free where a confirmed order has no fee; without, it is not
        confirmed. Return what cannot be.
        """
        if draft.values[STATUS] != S.CONFIRMED or draft.amount(FEE):
            return []
        text = Text("What is the shipping fee of confirmed orders that have none, or 0.00?")
        choices = [
            (FREE, Text("Nothing: it is included, or paid by the customer")),
            (NOT_YET, Text("Not known yet: the orders enter as Preparing")),
            LEAVE_ORDERS,
        ]
        if self._ask("fee", text, choices) == FREE:
            return []
        draft.values[STATUS] = int(S.PREPARING)
        return [Text(NO_BALANCE)] if draft.amount(BALANCE) else []


def _is_of_another(row: ImportRow, last: OrderDraft) -> bool:
    """Return whether a row without a number is not of the order above: it names another customer or
    another day.
    """
    names = [name for name in (COMPANY, CODE, DAY) if name in row.new]
    return any(last.values.get(name, row.new[name]) != row.new[name] for name in names)


def _bare(sku: str) -> str:
    """Return a SKU as lists write it: in any case, with spaces, hyphens or neither."""
    return re.sub(r"[\s_-]", "", sku).upper()
