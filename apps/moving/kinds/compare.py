"""Customers and people of a file beside those that are there: what is new, what changes, what is
doubtful.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from apps.accounts.models import AddressEntry, BusinessType, Company, User
from apps.accounts.registrations import domain_of
from apps.catalog.models import Brand, ImportRow
from apps.common.names import bare
from apps.common.printed import printing_faults
from apps.common.tables.cells import heading
from apps.common.texts import Text
from apps.moving.kinds.columns import (
    BETWEEN,
    BETWEEN_COMMAS,
    BRANDS,
    COLUMNS,
    COMPANY,
    EMAIL,
    OF_COMPANY,
    OF_PERSON,
    PERSON,
    PLACES,
    PRINTED,
    SHARE,
    TYPE,
    UNCLEAR,
)
from apps.moving.kinds.places import country_of, state_of
from apps.moving.services.people import ALL_BRANDS, values_of_company, values_of_person
from apps.moving.services.rows import hold, refuse

Result = ImportRow.Result
# What companies of one name may or may not write behind it.
FORMS = re.compile(
    r"\b(llc|l l c|inc|incorporated|ltd|limited|co|corp|corporation|company|gmbh|ag|kg|sa|sas|sarl"
    r"|srl|spa|bv|b v|nv|n v|oy|ab|as|a s|aps|pty|plc|pte|sdn bhd|sp z o o|sp z oo|lda|ltda|llp"
    r"|s a de c v|sa de cv|s a s|s a|s r l|s r o|sro|s p a|d o o|doo|uab|ike|epe|est|fze|fzco|kk"
    r"|s l|sl|s a c|sac|k k|kft|zrt|jsc|ooo|too|유한회사|주식회사|주)\b"
)
# The business types that a portal begins with, as Korean exporters write them.
IN_KOREAN = {
    **dict.fromkeys(("유통", "총판", "유통사"), "distributor"),
    **dict.fromkeys(("도매", "도매상"), "wholesaler"),
    **dict.fromkeys(("온라인", "온라인몰", "온라인 소매"), "online retailer"),
    **dict.fromkeys(("오프라인", "오프라인 매장", "오프라인 소매"), "offline retailer"),
    **dict.fromkeys(("살롱", "미용실", "스파"), "beauty salon or spa"),
    **dict.fromkeys(("약국", "약국체인"), "pharmacy"),
}
ALIKE = 0.9


def key_of(name: str) -> str:
    """Return a company's name as it is the same, whatever its case and spaces."""
    return " ".join(bare(name).split())


def loose_key(name: str) -> str:
    """Return what is left of a name that is written in several ways."""
    return FORMS.sub("", heading(bare(name))).replace(" ", "")


@dataclass
class Known:
    """A company of the file: the row that carries what is said of it, its record where there is
    one, and what the file says so far.
    """

    name: str
    row: ImportRow
    company: Company | None
    values: dict[str, Any] = field(default_factory=dict)
    said_in: dict[str, ImportRow] = field(default_factory=dict)


class Comparison:
    """Compares the rows of a file, in their order."""

    def __init__(self, rows: Sequence[ImportRow]) -> None:
        self.rows = rows
        sender = rows[0].source.created_by if rows else None
        self.may_set_share = sender is None or sender.has_perm("accounts.set_deposit_share")
        self.companies: dict[str, list[Company]] = {}
        for company in Company.objects.select_related("country", "state", "business_type"):
            self.companies.setdefault(key_of(company.name), []).append(company)
        emails = {row.new[EMAIL] for row in rows if EMAIL in row.new}
        people = User.objects.filter(email__in=emails).select_related(
            "company", "ship_country", "ship_state"
        )
        self.people = {user.email: user for user in people}
        self.brands = {brand.eng.casefold(): brand.eng for brand in Brand.objects.all()}
        self.types = {one.type.casefold(): one.type for one in BusinessType.objects.all()}
        self.countries: dict[str, AddressEntry | None] = {}
        self.loose: dict[str, dict[str, str]] = {}  # by the two letters that they begin with
        self.spellings: dict[str, list[str]] = defaultdict(list)  # keys by what is left of a name
        for key, found in self.companies.items():
            self._near(found[0].name)
            self.spellings[loose_key(found[0].name)].append(key)
        domains = User.objects.filter(is_staff=False).values_list("email", "company__name")
        self.domains = {domain_of(email): name for email, name in domains}
        self.known: dict[str, Known | ImportRow] = {}
        self.emails: dict[str, ImportRow] = {}

    def run(self) -> None:
        """Compare each row."""
        last: Known | ImportRow | None = None
        sheet = 0
        for row in self.rows:
            if row.number // ImportRow.PER_SHEET != sheet:
                sheet, last = row.number // ImportRow.PER_SHEET, None
            last = self._row(row, last)

    def _row(self, row: ImportRow, last: Known | ImportRow | None) -> Known | ImportRow | None:
        """Compare a row; return whose company the rows below it have, or the row that should have
        said it.
        """
        said, row.new, row.old = row.new, {}, {}
        name = said.pop(COMPANY, "")
        email = said.get(EMAIL, "")
        row.sku = (email or name or said.get(PERSON, ""))[:60]
        if row.result == Result.FAULTY:
            row.made = {"name": name}
            if name and key_of(name) not in {*self.known, *self.companies}:
                self.known[key_of(name)] = row
            return row if name else last
        values = self._understood(row, said)
        found = self._company(row, name, last, values)
        if isinstance(found, Known):
            row.made = {"name": found.name}
            self._person(row, found, values, email)
            if row.result not in (Result.FAULTY, Result.TWICE):
                self._merge(row, found, values)
        if row.result == Result.FAULTY:
            row.new, row.old = {}, {}
            if name and isinstance(found, Known) and found.row is row:
                self.known[key_of(name)] = row
                return row
        return found

    def _company(
        self, row: ImportRow, name: str, last: Known | ImportRow | None, values: dict[str, Any]
    ) -> Known | ImportRow | None:
        key = self._key(row, name, values)
        found = self.known.get(key) if name else last
        if name and found is None:
            there = self.companies.get(key, [])
            if len(there) > 1:
                refuse(row, Text("%(count)s customers have this name", count=len(there)))
            if there and not there[0].is_open:
                refuse(row, Text("this customer is closed"))
            company = there[0] if there else None
            found = self.known[key] = Known(company.name if company else name, row, company)
            if company is None:
                self.spellings[loose_key(name)].append(key)
        if found is None:
            refuse(row, Text("Company: it is missing"))
        elif isinstance(found, ImportRow):
            refuse(row, Text("its company, in row %(row)s, cannot be read", row=found.place))
        return found

    def _key(self, row: ImportRow, name: str, values: dict[str, Any]) -> str:
        """Return the key of the one company that a name means, with another legal form, too."""
        key = key_of(name)
        if not name or key in self.known or key in self.companies:
            return key
        country = values.get("country")
        same = [
            one
            for one in self.spellings[loose_key(name)]
            if not country or self._country_of(one) in ("", country)
        ]
        if len(same) > 1:
            refuse(row, Text("%(count)s customers have this name", count=len(same)))
        elif same:
            known = self.known.get(same[0])
            there = known.name if isinstance(known, Known) else name
            if same[0] in self.companies:
                there = self.companies[same[0]][0].name
            hold(row, "written", Text("is read as “%(name)s”", name=there))
        return same[0] if same else key

    def _country_of(self, key: str) -> str:
        known, there = self.known.get(key), self.companies.get(key)
        said = known.values.get("country", "") if isinstance(known, Known) else ""
        country = there[0].country if there else None
        return said or (country.content if country else "")

    def _understood(self, row: ImportRow, said: dict[str, Any]) -> dict[str, Any]:
        """Return what a row says, as the portal spells it."""
        values = dict(said)
        for name in PLACES:
            if name in values and not name.endswith("state"):
                entry = self._country(values[name])
                values[name] = entry.content if entry else None
                if entry is None:
                    _fault(row, name, Text("“%(text)s” is no country", text=said[name][:40]))
        if TYPE in values:
            text = said[TYPE].casefold()
            values[TYPE] = self.types.get(text) or self.types.get(IN_KOREAN.get(text, ""))
            if values[TYPE] is None:
                del values[TYPE]
                text = Text("Business type “%(text)s” is not known: left empty", text=said[TYPE])
                hold(row, "type", text)
        self._look_at_share(row, values)
        if BRANDS in values and values[BRANDS] != ALL_BRANDS:
            values[BRANDS] = self._brands(row, said[BRANDS])
        texts = {name: values.get(name) for name in PRINTED}
        for name, faults in printing_faults(texts).items():
            for fault in faults:
                _fault(row, name, Text(str(fault)))
        return values

    def _look_at_share(self, row: ImportRow, values: dict[str, Any]) -> None:
        if values.get(SHARE, "").startswith(UNCLEAR):
            said = values.pop(SHARE).removeprefix(UNCLEAR)
            hold(row, "share", Text("Deposit share “%(text)s”: left empty", text=said))
        if SHARE in values and not self.may_set_share:
            _fault(row, SHARE, Text("you may not set it"))

    def _country(self, text: str) -> AddressEntry | None:
        if text not in self.countries:
            self.countries[text] = country_of(text)
        return self.countries[text]

    def _brands(self, row: ImportRow, text: str) -> str:
        parts = [part for part in BETWEEN.split(text) if part]
        if any(part.casefold() not in self.brands for part in parts):
            parts = [part for part in BETWEEN_COMMAS.split(text) if part]
        if unknown := [part for part in parts if part.casefold() not in self.brands]:
            left = ", ".join(unknown)[:200]
            hold(row, "brands", Text("Unknown brands, left out: %(brands)s", brands=left))
        known = {self.brands[part.casefold()] for part in parts if part.casefold() in self.brands}
        if not known:
            _fault(row, BRANDS, Text("none of them is known"))
        return "; ".join(sorted(known))

    def _state(self, row: ImportRow, name: str, text: str, country: str) -> str:
        """Return a state as it is spelled here; it needs its country."""
        entry = self._country(country) if country else None
        state = state_of(text, entry) if entry else None
        if state is None:
            text_ = Text("“%(text)s” is no state of %(country)s", text=text, country=country or "–")
            _fault(row, name, text_)
            return ""
        return state.content

    def _merge(self, row: ImportRow, known: Known, values: dict[str, Any]) -> None:
        """Add what a row says of its company to what the rows above said; they may not differ."""
        own = {name: values[name] for name in OF_COMPANY if name in values}
        kept = values_of_company(known.company) if known.company else {}
        if "state" in own:
            country = own.get("country") or known.values.get("country") or kept.get("country", "")
            own["state"] = self._state(row, "state", own["state"], country)
        for name, value in own.items():
            if known.values.get(name, value) != value:
                other = known.said_in[name].place
                text = Text("row %(row)s says “%(text)s”", row=other, text=known.values[name])
                _fault(row, name, text)
        if row.result == Result.FAULTY:
            return
        for name, value in own.items():
            known.said_in.setdefault(name, row)
            known.values[name] = value
        first = known.row
        changes = {name: value for name, value in known.values.items() if kept.get(name) != value}
        first.new |= changes
        if known.company:
            first.made |= {"company": known.company.pk}
            row.made |= {"company": known.company.pk}
            first.old |= {name: kept[name] for name in changes}
            if changes and first.result == Result.SAME:
                first.result = Result.CHANGED
        elif first is row:
            row.result, row.made["adds"] = Result.NEW, ["company", *row.made.get("adds", [])]
            row.new = {COMPANY: known.name, **row.new}
            if self.companies and "address1" not in own:
                hold(row, "added", Text("no customer of this name: it is added"))
            self._look_for_near(row, known.name)
        else:
            row.made["of"] = first.number

    def _look_for_near(self, row: ImportRow, name: str) -> None:
        """Hold a new company back that may be one which is there, or above, in other letters."""
        if near := self._near(name):
            hold(row, "near", Text("is it “%(name)s”?", name=near))

    def _near(self, name: str) -> str:
        """Return a company above whose name is nearly this one, if any, and remember this one."""
        loose = loose_key(name)
        alike = self.loose.setdefault(loose[:2], {})
        near = alike.get(loose) or next(
            (
                other
                for key, other in alike.items()
                if abs(len(key) - len(loose)) < 4
                and SequenceMatcher(None, key, loose).ratio() >= ALIKE
            ),
            "",
        )
        alike.setdefault(loose, name)
        return near

    def _person(self, row: ImportRow, known: Known, values: dict[str, Any], email: str) -> None:
        """Compare the person of a row, where it has one."""
        own = {name: values[name] for name in OF_PERSON if name in values}
        if not email:
            if own:
                _fault(row, EMAIL, Text("it is missing"))
            return
        if email in self.emails:
            self._twice(row, known, email)
            return
        self.emails[email] = row
        user = self.people.get(email)
        if user is not None and (why := _not_changed(user, known)):
            _fault(row, EMAIL, why)
            return
        kept = values_of_person(user) if user else {}
        if "ship_state" in own:
            country = own.get("ship_country") or kept.get("ship_country", "")
            own["ship_state"] = self._state(row, "ship_state", own["ship_state"], country)
        changes = {name: value for name, value in own.items() if kept.get(name) != value}
        row.new |= changes
        if user is None:
            self._new_person(row, known, email)
        else:
            row.made["user"] = user.pk
            row.old |= {name: kept[name] for name in changes}
            if changes:
                row.result = _unless_faulty(row, Result.CHANGED)

    def _new_person(self, row: ImportRow, known: Known, email: str) -> None:
        if not row.new.get(PERSON):
            _fault(row, PERSON, Text("it is missing"))
            return
        row.new[EMAIL] = email
        row.result = _unless_faulty(row, Result.NEW)
        row.made["adds"] = ["user"]
        domain = domain_of(email)
        other = self.domains.setdefault(domain, known.name) if domain else known.name
        if key_of(other or "") != key_of(known.name):
            hold(row, "near", Text("%(domain)s is of “%(name)s”, too", domain=domain, name=other))

    def _twice(self, row: ImportRow, known: Known, email: str) -> None:
        """Leave out a person who stands in a row above; of a company that the row alone adds, that
        is a fault.
        """
        other = self.emails[email]
        text = Text("%(email)s is in row %(row)s already", email=email, row=other.place)
        if known.row is row:
            refuse(row, text)
        else:
            row.result, row.new, row.old, row.remark = Result.TWICE, {}, {}, text.stored()


def _not_changed(user: User, known: Known) -> Text | None:
    """Return why a person that is there cannot be the one of a row."""
    if user.is_staff:
        return Text("it is a colleague's")
    if known.company is None or user.company_id != known.company.pk:
        return Text("it belongs to %(company)s", company=str(user.company))
    if user.approval != User.Approval.APPROVED:
        return Text("its registration is not approved: decide it first")
    return None


def _unless_faulty(row: ImportRow, result: str) -> str:
    return row.result if row.result == Result.FAULTY else result


def _fault(row: ImportRow, name: str, fault: Text) -> None:
    title = Text(COLUMNS[name].title)
    refuse(row, Text("%(column)s: %(fault)s", column=title, fault=fault))
