"""Customers and people of a file beside those that are there: what is new, what changes, what is
doubtful.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from django.utils.translation import gettext, gettext_noop as _, override
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import extract

from apps.accounts.models import AddressEntry, BusinessType, Company, User
from apps.accounts.registrations import domain_of
from apps.catalog.models import Brand, ImportRow
from apps.catalog.services.import_tables import ASKED, OUT, sheet_of
from apps.catalog.sheet import at_column
from apps.common.printed import unprinted
from apps.common.tables.cells import CellFault
from apps.common.texts import Text
from apps.moving.kinds.columns import (
    ALL_BRANDS,
    BRANDS,
    CODE,
    COLUMNS,
    COMPANY,
    EMAIL,
    GROUP,
    MOBILE,
    NOTE,
    OF_COMPANY,
    OF_PERSON,
    ONE,
    PERSON,
    PHONE,
    PRINTED,
    SHARE,
    SHORT,
    STATE,
    TYPE,
    WORDS,
    brands_in,
    country_of,
    email_of,
    state_of,
    values_of_company,
    values_of_person,
)
from apps.moving.kinds.customers import Names, key_of
from apps.moving.kinds.rows import (
    OUT_TEXT,
    Questions,
    hold,
    leave,
    leave_out,
    missing,
    refuse,
)

Result = ImportRow.Result
# The business types that a portal begins with, as Korean exporters write them.
IN_KOREAN = {name: one for one, names in WORDS["business_types"].items() for name in names}
NO_CUSTOMER = re.compile(
    r"매입처|포워더|공급(처|사|업체)|제조사|supplier|forwarder|vendor"
    r"|거래\s*(중지|종료|중단|정지)|폐업|\bstopped\b|\bclosed\b",
    re.IGNORECASE,
)
LEFT = re.compile(r"(퇴사|퇴직)(?!\s*(예정|\?))|\bresigned\b|\bleft\b", re.IGNORECASE)
ABOVE, OTHER = "above", "new"
TWICE = _("%(email)s is in row %(row)s already")
MOST_NAME = 100
MOST_NAMED = 20  # rows that a question names


@dataclass
class FileCompany:
    """A company: its record where there is one, the first row of the file that names it, whether
    that is left out, and what the rows say so far.
    """

    name: str
    company: Company | None = None
    row: ImportRow | None = None
    is_out: bool = False
    values: dict[str, Any] = field(default_factory=dict)
    said_in: dict[str, ImportRow] = field(default_factory=dict)

    @property
    def country(self) -> str:
        """Return its country, as the rows say it or as it is there."""
        record = self.company.country if self.company else None
        return self.values.get("country") or (record.content if record else "")


class Comparison:
    """Compares the rows of a file, in their order."""

    def __init__(self, rows: Sequence[ImportRow], questions: Questions) -> None:
        self.rows, self.questions = rows, questions
        sender = rows[0].source.created_by if rows else None
        self.may_set_share = sender is None or sender.has_perm("accounts.set_deposit_share")
        self.names = Names()
        self.known: dict[str, FileCompany] = {}
        self.codes: dict[str, FileCompany] = {}
        self.same_names: set[str] = set()  # of several customers
        for company in Company.objects.select_related("country", "state", "business_type"):
            key, known = key_of(company.name), FileCompany(company.name, company)
            if key in self.known:
                self.same_names.add(key)
            self.known[key] = known
            self.names.add(company.name, key)
            if company.short_name:
                self.codes.setdefault(company.short_name, known)
        # A name that is not known has no address, where others have: it may be one of them.
        has_addresses = any("address1" in row.new for row in rows)
        self.asks_for_new = bool(self.known) or has_addresses
        self.brands = {brand.eng.casefold(): brand.eng for brand in Brand.objects.all()}
        self.types = {one.type.casefold(): one.type for one in BusinessType.objects.all()}
        self.countries: dict[str, AddressEntry | None] = {}
        contents = AddressEntry.objects.filter(parent__isnull=True).values_list(
            "content", flat=True
        )
        with override("ko"):
            korean = {gettext(content): content for content in contents}
        self.all_countries = korean | {content.casefold(): content for content in contents}
        people = User.objects.filter(is_staff=False).values_list("email", "company__name")
        self.domains = {domain_of(email): name for email, name in people}
        addresses = set()
        for row in rows:
            with suppress(CellFault):
                addresses.add(email_of(row.new.get(EMAIL, "")))
        users = User.objects.filter(email__in=addresses)
        users = users.select_related("company", "ship_country", "ship_state")
        self.users = {user.email: user for user in users}
        self.emails: dict[str, ImportRow] = {}
        self.unnamed: list[str] = []

    def run(self) -> None:
        """Compare each row."""
        for _sheet, rows in groupby(self.rows, sheet_of):
            last: FileCompany | None = None
            for row in rows:
                last = self._row(row, last)

    def _row(self, row: ImportRow, last: FileCompany | None) -> FileCompany | None:
        """Compare a row; return the company that rows without one have below it."""
        cells, row.new, row.old = row.new, {}, {}
        name = cells.pop(COMPANY, "")
        row.sku, row.made = (cells.get(EMAIL) or name or cells.get(PERSON, ""))[:60], {"name": name}
        known = self._company(row, name, cells, last)
        if known is None:
            return None
        first = known.row = known.row or row
        if first is not row and known.is_out and row.result == Result.SAME:
            if first.result == Result.LEFT:
                leave(row, Text("its company, in row %(row)s, is left out", row=first.place))
            else:
                refuse(row, Text("its company, in row %(row)s, cannot be read", row=first.place))
        elif known.company and not known.company.is_open and row.result == Result.SAME:
            refuse(row, Text("this customer is closed"))
        elif row.result == Result.SAME:
            row.made["name"] = known.name
            self._look_at(row, known, self._understood(row, cells))
        if row.result in (Result.FAULTY, Result.LEFT):
            row.new, row.old = {}, {}
            is_there = known.company is not None and known.company.is_open
            if first is row and is_there and row.result == Result.FAULTY:
                known.row = None  # the next row carries what becomes of the company
            else:
                known.is_out |= first is row
        return known

    def _company(
        self, row: ImportRow, name: str, cells: dict[str, Any], last: FileCompany | None
    ) -> FileCompany | None:
        """Return the company of a row, by its code or its name; of one without either the one
        above, once that was answered.
        """
        code = cells.get(CODE, "")
        known = self.codes.get(code)
        if known is None and name:
            known = self._named(row, name, cells)
        elif known is None and not code and last and last.is_out:
            known = last
        elif known is None and not code and last:
            if len(self.unnamed) < MOST_NAMED:
                self.unnamed.append(f"{row.place} {row.sku} ({last.name})")
            answer = self.questions.answer(
                ABOVE,
                Text(
                    "Do rows without a company belong to the one above? %(rows)s",
                    rows="; ".join(self.unnamed),
                ),
                [(ABOVE, Text("Yes, of that company")), (OUT, Text(OUT_TEXT))],
            )
            if answer != ABOVE:
                leave_out(row, answer)
            known = last
        elif known is None:
            refuse(row, missing(COLUMNS[COMPANY].title))
        if code and known:
            self.codes.setdefault(code, known)
        return known

    def _named(self, row: ImportRow, name: str, cells: dict[str, Any]) -> FileCompany | None:
        """Return the company of a name: that of another legal form is to be looked at, one of
        almost that name is asked; with a code of its own it is another.
        """
        key = key_of(name)
        same = [] if CODE in cells or key in self.known else self.names.same(name)
        if key in self.same_names or len(same) > 1:
            refuse(row, Text("%(count)s customers have this name", count=max(2, len(same))))
            return None
        near = [one for one in same if self._is_elsewhere(self.known[one], cells)]
        if same and not near:
            key = same[0]
            hold(row, "written", Text("is read as “%(name)s”", name=self.known[key].name))
        if key in self.known:
            return self.known[key]
        is_bare = self.asks_for_new and "address1" not in cells
        if not (near or CODE in cells):
            near = self.names.near(name, partly=is_bare)
        known = self.known[key] = FileCompany(name, row=row)
        if not near or row.result != Result.SAME:
            self.names.add(name, key)
            return known
        answer = self.questions.answer(
            f"company:{name}",
            Text("Which customer is “%(name)s”?", name=name),
            [
                *((f"={one}", Text(self._told(self.known[one]))) for one in near),
                (OTHER, Text("No, another customer: it is added")),
                (OUT, Text(OUT_TEXT)),
            ],
        )
        if answer in ("", OUT):
            leave_out(row, answer)
        elif answer == OTHER:
            self.names.add(name, key)
        else:
            known = self.known[key] = self.known[answer[1:]]
        return known

    def _told(self, known: FileCompany) -> str:
        """Return a company's name with its country, where that is known."""
        return f"{known.name}, {known.country}" if known.country else known.name

    def _is_elsewhere(self, known: FileCompany, cells: dict[str, Any]) -> bool:
        """Return whether a row says another country than is known of a company."""
        country = self._country(cells.get("country", ""))
        return bool(country and known.country and country.content != known.country)

    def _understood(self, row: ImportRow, cells: dict[str, Any]) -> dict[str, Any]:
        """Return what a row says, as the portal spells it; what is not known is left empty."""
        values = dict(cells)
        if CODE in values:
            values.setdefault(SHORT, values[CODE])
        for name in {"country", "ship_country"} & values.keys():
            text = values[name]
            entry = self._country(text)
            which = Text("Which country is “%(name)s”?", name=text)
            values[name] = (
                entry.content
                if entry
                else self._meant(row, name, f"country:{text}", which, self.all_countries)
            )
        if TYPE in values:
            type_ = values[TYPE].casefold()
            known = self.types.get(type_) or self.types.get(IN_KOREAN.get(type_, ""), "")
            which = Text("Which business type is “%(name)s”?", name=values[TYPE])
            values[TYPE] = known or self._meant(row, TYPE, f"type:{type_}", which, self.types)
        if values.get(SHARE) == ONE:
            which = Text("What is a deposit share of 1?")
            choices = [("1.00", Text("100 %")), ("0.01", Text("1 %"))]
            values[SHARE] = self.questions.answer(SHARE, which, choices)
            if not values[SHARE]:
                _fault(row, SHARE, Text(ASKED))
        if SHARE in values and not self.may_set_share:
            _fault(row, SHARE, Text("you may not set it"))
        if BRANDS in values and values[BRANDS] != ALL_BRANDS:
            self._look_at_brands(row, values)
        for name, fault in unprinted({name: values.get(name) for name in PRINTED}).items():
            _empty(row, name, fault)
            values[name] = ""
        return {name: value for name, value in values.items() if value != ""}

    def _country(self, text: str) -> AddressEntry | None:
        if text not in self.countries:
            self.countries[text] = country_of(text)
        return self.countries[text]

    def _which(self, key: str, text: Text, names: Mapping[str, str], none: str) -> str:
        """Return which of these names, by them in small letters, the text behind a question's key
        means, the likeliest offered first; OUT for none, empty as long as that is not answered.
        """
        name = key.partition(":")[2].casefold()
        nearest = extract(name, [*names], scorer=ratio, limit=None)
        likely = dict.fromkeys(names[one] for one, *_score in nearest)
        choices = [(one, Text(one)) for one in likely]
        return self.questions.answer(key, text, [(OUT, Text(none)), *choices])

    def _meant(
        self, row: ImportRow, name: str, key: str, text: Text, names: Mapping[str, str]
    ) -> str:
        """Return which of these names a cell means; empty as long as that is not answered, which
        the row waits for, or for none of them.
        """
        answer = self._which(key, text, names, _("None: leave it empty"))
        if not answer:
            _fault(row, name, Text(ASKED))
        return "" if answer == OUT else answer

    def _look_at_brands(self, row: ImportRow, values: dict[str, Any]) -> None:
        """Set the brands that a row names; one that is not known is asked."""
        known, waits = set(), False
        for name in brands_in(values[BRANDS], self.brands):
            brand = self.brands.get(name.casefold(), "")
            if not brand:
                text = Text("Which brand is “%(name)s”?", name=name)
                brand = self._which(f"brand:{name}", text, self.brands, _("None: leave it out"))
            known |= {brand} - {"", OUT}
            waits |= not brand
        if waits:
            _fault(row, BRANDS, Text(ASKED))
        elif not known:
            _fault(row, BRANDS, Text("none of them is known"))
        values[BRANDS] = "; ".join(sorted(known))

    def _look_at(self, row: ImportRow, known: FileCompany, values: dict[str, Any]) -> None:
        """Compare the person of a row, and what it says of its company: somebody who cannot come in
        as written is held back, the company is not.
        """
        words = " ".join(values.get(name, "") for name in (GROUP, STATE, NOTE))
        if no := NO_CUSTOMER.search(words):
            leave(row, Text("no customer: %(group)s", group=no[0]))
        has_person = PERSON in values or EMAIL in values
        own = {name: values[name] for name in OF_PERSON if name in values}
        if own and not has_person:
            refuse(row, missing(COLUMNS[EMAIL].title))
        if row.result != Result.SAME:
            return
        if has_person and _is_own_phone(known, values):
            values[MOBILE] = values.pop(PHONE)
        if MOBILE in values:
            own.setdefault("ship_phone", values[MOBILE])
        problem = self._person(row, known, values, own) if has_person else None
        self._merge(row, known, values)
        if problem and row.result == Result.SAME:
            refuse(row, problem)
            row.result = Result.TWICE if problem.key == TWICE else Result.FAULTY
        elif problem and row.result != Result.FAULTY:
            hold(row, "person", problem)

    def _person(
        self, row: ImportRow, known: FileCompany, values: dict[str, Any], own: dict[str, Any]
    ) -> Text | None:
        """Keep in the row what its person becomes; return why this one does not come in."""
        name, address = values.get(PERSON, ""), values.get(EMAIL, "")
        try:
            email = email_of(address)
        except CellFault as fault:
            if not address:
                return Text("%(name)s has no e-mail address: not imported", name=name)
            return at_column(COLUMNS[EMAIL].title, fault)
        user = self.users.get(email)
        if LEFT.search(f"{name} {values.get(NOTE, '')}"):
            return Text("%(name)s has left: not imported", name=name or address)
        if why := self._why_not(email, user, known, name):
            return why
        self.emails[email] = row
        says, kept = {PERSON: name, **own} if name else own, values_of_person(user) if user else {}
        if "ship_state" in says:
            country = says.get("ship_country") or kept.get("ship_country", "")
            self._set_state(row, "ship_state", says, country)
        row.new = {one: value for one, value in says.items() if kept.get(one) != value}
        row.old = {one: kept.get(one) for one in row.new} if user else {}
        person: dict[str, Any] = {"user": user.pk} if user else {"adds": True}
        if user is None:
            row.new, row.result = {EMAIL: email, **row.new}, Result.NEW
            domain = domain_of(email)
            other = self.domains.setdefault(domain, known.name) if domain else known.name
            if key_of(other or "") != key_of(known.name):
                text = Text("%(domain)s also belongs to “%(name)s”", domain=domain, name=other)
                hold(row, "near", text)
        elif row.new:
            row.result = Result.CHANGED
        row.made["people"] = [{**person, "new": dict(row.new), "old": dict(row.old)}]
        return None

    def _why_not(self, email: str, user: User | None, known: FileCompany, name: str) -> Text | None:
        """Return why a person does not come in."""
        if email in self.emails:
            return Text(TWICE, email=email, row=self.emails[email].place)
        if user is not None and (why := _not_changed(user, known)):
            return at_column(COLUMNS[EMAIL].title, why)
        if user is None and not name:
            return Text("%(email)s has no name: not imported", email=email)
        if len(name) > MOST_NAME:
            return Text("%(name)s: longer than %(count)s characters", name=name, count=MOST_NAME)
        return None

    def _set_state(self, row: ImportRow, name: str, cells: dict[str, Any], country: str) -> None:
        """Spell a state as here; it needs its country."""
        entry = self._country(country) if country else None
        if state := state_of(cells[name], entry) if entry else None:
            cells[name] = state.content
            return
        text = Text(
            "“%(text)s” is not a state of %(country)s",
            text=cells.pop(name),
            country=Text(country or "–"),
        )
        _empty(row, name, text)

    def _merge(self, row: ImportRow, known: FileCompany, values: dict[str, Any]) -> None:
        """Add what a row says of its company to what the rows above said, from which it may not
        differ; the first row carries what becomes of it.
        """
        own = {name: values[name] for name in OF_COMPANY if name in values}
        kept = values_of_company(known.company) if known.company else {}
        if "state" in own:
            country = own.get("country") or known.values.get("country") or kept.get("country", "")
            self._set_state(row, "state", own, country)
        _refuse_differing(row, known, own)
        if row.result == Result.FAULTY:
            return
        known.values |= own
        known.said_in |= dict.fromkeys(own.keys() - known.said_in.keys(), row)
        first = known.row or row
        changes = {name: value for name, value in known.values.items() if kept.get(name) != value}
        first.new |= changes
        if known.company:
            first.made["company"] = row.made["company"] = known.company.pk
            first.old |= {name: kept[name] for name in changes}
            if changes and first.result in (Result.SAME, Result.TWICE):
                first.result = Result.CHANGED
        elif first is row:
            row.result, row.made["adds"] = Result.NEW, ["company"]
            if note := values.get(NOTE):
                row.made["note"] = note
            row.new = {COMPANY: known.name, **row.new}
            if "address1" not in values and self.asks_for_new:
                hold(row, "added", Text("no customer of this name: it is added"))
        else:
            row.made["of"] = first.number


def _is_own_phone(known: FileCompany, values: dict[str, Any]) -> bool:
    """Return whether a phone is the person's: the company has another, and the row says nothing
    else of the company, or a row above did.
    """
    there = known.values.get(PHONE)
    if not there and known.company and values.keys() & {*OF_COMPANY} == {PHONE}:
        there = known.company.phone
    return bool(there and values.get(PHONE, there) != there)


def _not_changed(user: User, known: FileCompany) -> Text | None:
    """Return why a person that is there cannot be the one of a row."""
    if user.is_staff:
        return Text("it is a colleague's")
    if known.company is None or user.company_id != known.company.pk:
        return Text("it belongs to %(company)s", company=str(user.company))
    if user.approval != User.Approval.APPROVED:
        return Text("its registration is not approved: decide it first")
    return None


def _refuse_differing(row: ImportRow, known: FileCompany, own: dict[str, Any]) -> None:
    """Refuse a row that says something else of its company than the rows above."""
    for name, value in own.items():
        if (before := known.values.get(name, value)) != value:
            text = Text(
                "row %(row)s says “%(text)s”",
                row=known.said_in[name].place,
                text=Text(before) if name.endswith("country") else before,
            )
            _fault(row, name, text)


def _fault(row: ImportRow, name: str, fault: Text) -> None:
    refuse(row, at_column(COLUMNS[name].title, fault))


def _empty(row: ImportRow, name: str, fault: Text) -> None:
    """Leave a cell empty that a row can be without, once that is ticked."""
    at = at_column(COLUMNS[name].title, fault)
    hold(row, "empty", Text("%(fault)s: left empty", fault=at))
