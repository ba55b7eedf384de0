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
from apps.catalog.services.import_tables import OUT, WAITING, sheet_of
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
RESIGNED = re.compile(r"(퇴사|퇴직)(?!\s*(예정|\?))|\bresigned\b|\bleft\b", re.IGNORECASE)
ABOVE, OTHER = "above", "new"
TWICE = _("%(email)s is in row %(row)s already")
MOST_NAME = 100
ALMOST, MOST = 75, 5  # percent of the letters; names that are offered first
MAX_EXAMPLES = 20  # rows that a question names


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
    stated_in: dict[str, ImportRow] = field(default_factory=dict)

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
        self.file_companies: dict[str, FileCompany] = {}
        self.codes: dict[str, FileCompany] = {}
        self.same_names: set[str] = set()  # of several customers
        for company in Company.objects.select_related("country", "state", "business_type"):
            key, file_company = key_of(company.name), FileCompany(company.name, company)
            if key in self.file_companies:
                self.same_names.add(key)
            self.file_companies[key] = file_company
            self.names.add(company.name, key)
            if company.short_name:
                self.codes.setdefault(company.short_name, file_company)
        # A name that is not known has no address, where others have: it may be one of them.
        has_addresses = any("address1" in row.new for row in rows)
        self.asks_for_new = bool(self.file_companies) or has_addresses
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
        file_company = self._company(row, name, cells, last)
        if file_company is None:
            return None
        first = file_company.row = file_company.row or row
        if first is not row and file_company.is_out and row.result == Result.SAME:
            if first.result == Result.LEFT:
                leave(row, Text("its company, in row %(row)s, is left out", row=first.place))
            else:
                refuse(row, Text("its company, in row %(row)s, cannot be read", row=first.place))
        elif (
            file_company.company and not file_company.company.is_open and row.result == Result.SAME
        ):
            refuse(row, Text("this customer is closed"))
        elif row.result == Result.SAME:
            row.made["name"] = file_company.name
            self._look_at(row, file_company, self._understood(row, cells))
        if row.result in (Result.FAULTY, Result.LEFT):
            row.new, row.old = {}, {}
            is_there = file_company.company is not None and file_company.company.is_open
            if first is row and is_there and row.result == Result.FAULTY:
                file_company.row = None  # the next row carries what becomes of the company
            else:
                file_company.is_out |= first is row
        return file_company

    def _company(
        self, row: ImportRow, name: str, cells: dict[str, Any], last: FileCompany | None
    ) -> FileCompany | None:
        """Return the company of a row, by its code or its name; of one without either the one
        above, once that was answered.
        """
        code = cells.get(CODE, "")
        file_company = self.codes.get(code)
        if file_company is None and name:
            file_company = self._company_by_name(row, name, cells)
        elif file_company is None and not code and last and last.is_out:
            file_company = last
        elif file_company is None and not code and last:
            if len(self.unnamed) < MAX_EXAMPLES:
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
            file_company = last
        elif file_company is None:
            refuse(row, missing(COLUMNS[COMPANY].title))
        if code and file_company:
            self.codes.setdefault(code, file_company)
        return file_company

    def _company_by_name(
        self, row: ImportRow, name: str, cells: dict[str, Any]
    ) -> FileCompany | None:
        """Return the company of a name: that of another legal form is to be looked at, one of
        almost that name is asked; with a code of its own it is another.
        """
        key = key_of(name)
        same = [] if CODE in cells or key in self.file_companies else self.names.same(name)
        if key in self.same_names or len(same) > 1:
            refuse(row, Text("%(count)s customers have this name", count=max(2, len(same))))
            return None
        near = [one for one in same if self._is_elsewhere(self.file_companies[one], cells)]
        if same and not near:
            key = same[0]
            hold(row, "written", Text("is read as “%(name)s”", name=self.file_companies[key].name))
        if key in self.file_companies:
            return self.file_companies[key]
        is_bare = self.asks_for_new and "address1" not in cells
        if not (near or CODE in cells):
            near = self.names.near(name, partly=is_bare)
        file_company = self.file_companies[key] = FileCompany(name, row=row)
        if not near or row.result != Result.SAME:
            self.names.add(name, key)
            return file_company
        answer = self.questions.answer(
            f"company:{name}",
            Text("Which customer is “%(name)s”?", name=name),
            [
                *((f"={one}", Text(self._label(self.file_companies[one]))) for one in near),
                (OTHER, Text("No, another customer: it is added")),
                (OUT, Text(OUT_TEXT)),
            ],
        )
        if answer in ("", OUT):
            leave_out(row, answer)
        elif answer == OTHER:
            self.names.add(name, key)
        else:
            file_company = self.file_companies[key] = self.file_companies[answer[1:]]
        return file_company

    def _label(self, file_company: FileCompany) -> str:
        """Return a company's name with its country, where that is known."""
        return ", ".join(filter(None, (file_company.name, file_company.country)))

    def _is_elsewhere(self, file_company: FileCompany, cells: dict[str, Any]) -> bool:
        """Return whether a row says another country than is known of a company."""
        country = self._country(cells.get("country", ""))
        return bool(country and file_company.country and country.content != file_company.country)

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
                else self._matched_name(row, name, f"country:{text}", which, self.all_countries)
            )
        if TYPE in values:
            type_ = values[TYPE].casefold()
            business_type = self.types.get(type_) or self.types.get(IN_KOREAN.get(type_, ""), "")
            which = Text("Which business type is “%(name)s”?", name=values[TYPE])
            values[TYPE] = business_type or self._matched_name(
                row, TYPE, f"type:{type_}", which, self.types
            )
        if values.get(SHARE) == ONE:
            which = Text("What is a deposit share of 1?")
            choices = [("1.00", Text("100 %")), ("0.01", Text("1 %"))]
            values[SHARE] = self.questions.answer(SHARE, which, choices)
            if not values[SHARE]:
                _fault(row, SHARE, Text(WAITING))
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
        means, the likely ones offered first; OUT for none, empty as long as that is not answered.
        """
        name = key.partition(":")[2].casefold()
        near = extract(name, [*names], scorer=ratio, score_cutoff=ALMOST, limit=MOST)
        likely = dict.fromkeys(names[one] for one, *_score in near)
        choices = [(one, Text(one)) for one in (*likely, *names.values())]
        first = 1 + len(likely)
        return self.questions.answer(key, text, [(OUT, Text(none)), *choices], first=first)

    def _matched_name(
        self, row: ImportRow, name: str, key: str, text: Text, names: Mapping[str, str]
    ) -> str:
        """Return which of these names a cell means; empty as long as that is not answered, which
        the row waits for, or for none of them.
        """
        answer = self._which(key, text, names, _("None: leave it empty"))
        if not answer:
            _fault(row, name, Text(WAITING))
        return "" if answer == OUT else answer

    def _look_at_brands(self, row: ImportRow, values: dict[str, Any]) -> None:
        """Set the brands that a row names; one that is not known is asked."""
        brands, waits = set(), False
        for name in brands_in(values[BRANDS], self.brands):
            brand = self.brands.get(name.casefold(), "")
            if not brand:
                text = Text("Which brand is “%(name)s”?", name=name)
                brand = self._which(f"brand:{name}", text, self.brands, _("None: leave it out"))
            brands |= {brand} - {"", OUT}
            waits |= not brand
        if waits:
            _fault(row, BRANDS, Text(WAITING))
        elif not brands:
            _fault(row, BRANDS, Text("none of them is known"))
        values[BRANDS] = "; ".join(sorted(brands))

    def _look_at(self, row: ImportRow, file_company: FileCompany, values: dict[str, Any]) -> None:
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
        if has_person and _is_own_phone(file_company, values):
            values[MOBILE] = values.pop(PHONE)
        if MOBILE in values:
            own.setdefault("ship_phone", values[MOBILE])
        problem = self._person(row, file_company, values, own) if has_person else None
        self._merge(row, file_company, values)
        if problem and row.result == Result.SAME:
            refuse(row, problem)
            row.result = Result.TWICE if problem.key == TWICE else Result.FAULTY
        elif problem and row.result != Result.FAULTY:
            hold(row, "person", problem)

    def _person(
        self, row: ImportRow, file_company: FileCompany, values: dict[str, Any], own: dict[str, Any]
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
        if RESIGNED.search(f"{name} {values.get(NOTE, '')}"):
            return Text("%(name)s has left: not imported", name=name or address)
        if why := self._why_not(email, user, file_company, name):
            return why
        self.emails[email] = row
        says, stored = (
            {PERSON: name, **own} if name else own,
            values_of_person(user) if user else {},
        )
        if "ship_state" in says:
            country = says.get("ship_country") or stored.get("ship_country", "")
            self._set_state(row, "ship_state", says, country)
        row.new = {one: value for one, value in says.items() if stored.get(one) != value}
        row.old = {one: stored.get(one) for one in row.new} if user else {}
        person: dict[str, Any] = {"user": user.pk} if user else {"adds": True}
        if user is None:
            row.new, row.result = {EMAIL: email, **row.new}, Result.NEW
            domain = domain_of(email)
            other = (
                self.domains.setdefault(domain, file_company.name) if domain else file_company.name
            )
            if key_of(other or "") != key_of(file_company.name):
                text = Text("%(domain)s also belongs to “%(name)s”", domain=domain, name=other)
                hold(row, "near", text)
        elif row.new:
            row.result = Result.CHANGED
        row.made["people"] = [{**person, "new": dict(row.new), "old": dict(row.old)}]
        return None

    def _why_not(
        self, email: str, user: User | None, file_company: FileCompany, name: str
    ) -> Text | None:
        """Return why a person does not come in."""
        if email in self.emails:
            return Text(TWICE, email=email, row=self.emails[email].place)
        if user is not None and (why := _not_changed(user, file_company)):
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

    def _merge(self, row: ImportRow, file_company: FileCompany, values: dict[str, Any]) -> None:
        """Add what a row says of its company to what the rows above said, from which it may not
        differ; the first row carries what becomes of it.
        """
        own = {name: values[name] for name in OF_COMPANY if name in values}
        stored = values_of_company(file_company.company) if file_company.company else {}
        if "state" in own:
            country = (
                own.get("country")
                or file_company.values.get("country")
                or stored.get("country", "")
            )
            self._set_state(row, "state", own, country)
        _refuse_differing(row, file_company, own)
        if row.result == Result.FAULTY:
            return
        file_company.values |= own
        file_company.stated_in |= dict.fromkeys(own.keys() - file_company.stated_in.keys(), row)
        first = file_company.row or row
        changes = {
            name: value for name, value in file_company.values.items() if stored.get(name) != value
        }
        first.new |= changes
        if file_company.company:
            first.made["company"] = row.made["company"] = file_company.company.pk
            first.old |= {name: stored[name] for name in changes}
            if changes and first.result in (Result.SAME, Result.TWICE):
                first.result = Result.CHANGED
        elif first is row:
            row.result, row.made["adds"] = Result.NEW, ["company"]
            if note := values.get(NOTE):
                row.made["note"] = note
            row.new = {COMPANY: file_company.name, **row.new}
            if "address1" not in values and self.asks_for_new:
                hold(row, "added", Text("no customer of this name: it is added"))
        else:
            row.made["of"] = first.number


def _is_own_phone(file_company: FileCompany, values: dict[str, Any]) -> bool:
    """Return whether a phone is the person's: the company has another, and the row says nothing
    else of the company, or a row above did.
    """
    there = file_company.values.get(PHONE)
    if not there and file_company.company and values.keys() & {*OF_COMPANY} == {PHONE}:
        there = file_company.company.phone
    return bool(there and values.get(PHONE, there) != there)


def _not_changed(user: User, file_company: FileCompany) -> Text | None:
    """Return why a person that is there cannot be the one of a row."""
    if user.is_staff:
        return Text("it is a colleague's")
    if file_company.company is None or user.company_id != file_company.company.pk:
        return Text("it belongs to %(company)s", company=str(user.company))
    if user.approval != User.Approval.APPROVED:
        return Text("its registration is not approved: decide it first")
    return None


def _refuse_differing(row: ImportRow, file_company: FileCompany, own: dict[str, Any]) -> None:
    """Refuse a row that says something else of its company than the rows above."""
    for name, value in own.items():
        if (before := file_company.values.get(name, value)) != value:
            text = Text(
                "row %(row)s says “%(text)s”",
                row=file_company.stated_in[name].place,
                text=Text(before) if name.endswith("country") else before,
            )
            _fault(row, name, text)


def _fault(row: ImportRow, name: str, fault: Text) -> None:
    refuse(row, at_column(COLUMNS[name].title, fault))


def _empty(row: ImportRow, name: str, fault: Text) -> None:
    """Leave a cell empty that a row can be without, once that is ticked."""
    at = at_column(COLUMNS[name].title, fault)
    hold(row, "empty", Text("%(fault)s: left empty", fault=at))
