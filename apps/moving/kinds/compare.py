"""Customers and people of a file beside those that are there: what is new, what changes, what is
doubtful.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_noop as _
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import extract

from apps.accounts.models import AddressEntry, BusinessType, Company, User
from apps.accounts.registrations import domain_of
from apps.catalog.models import Brand, ImportRow
from apps.catalog.services.import_tables import OUT
from apps.common.printed import unprinted
from apps.common.tables.cells import CellFault
from apps.common.texts import Text
from apps.moving.kinds.columns import (
    BRANDS,
    CODE,
    COLUMNS,
    COMPANY,
    DIAL,
    EMAIL,
    GROUP,
    MOBILE,
    NOTE,
    OF_COMPANY,
    OF_PERSON,
    PERSON,
    PHONE,
    POSITION,
    PRINTED,
    SHARE,
    SHORT,
    STATE,
    TYPE,
    WORDS,
    brands_in,
    email_of,
)
from apps.moving.kinds.customers import Names, key_of
from apps.moving.kinds.persons import ADDRESS, IN_A_LIST, People, people_in
from apps.moving.kinds.places import country_of, state_of
from apps.moving.kinds.rows import (
    ASKED,
    OUT_TEXT,
    Asked,
    hold,
    leave,
    leave_out,
    missing,
    refuse,
)
from apps.moving.services.people import ALL_BRANDS, values_of_company, values_of_person

Result = ImportRow.Result
# The business types that a portal begins with, as Korean exporters write them.
IN_KOREAN = {name: one for one, names in WORDS["business_types"].items() for name in names}
TRADING = frozenset({"a", "active", "y", "o", "○", "거래중", "거래", "정상", "사용", "yes"})
STOPPED = re.compile(r"거래\s*(중지|종료|중단|정지)|폐업|\bstopped\b|\bclosed\b", re.IGNORECASE)
SUPPLIER = re.compile(
    r"매입처|포워더|공급(처|사|업체)|제조사|supplier|forwarder|vendor", re.IGNORECASE
)
LEFT = re.compile(r"퇴사|퇴직|\bresigned\b|\bleft\b", re.IGNORECASE)
CLOSED, AS_OTHERS, ABOVE = "closed", "open", "above"
OTHER = "new"
TWICE = _("%(email)s is in row %(row)s already")
MOST_LINE, MOST_NAME, MOST_PHONE = 120, 100, 40
MOST_NAMED = 20  # rows that a question names


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

    def __init__(self, rows: Sequence[ImportRow], asked: Asked) -> None:
        self.rows, self.asked = rows, asked
        sender = rows[0].source.created_by if rows else None
        self.may_set_share = sender is None or sender.has_perm("accounts.set_deposit_share")
        self.companies: dict[str, list[Company]] = defaultdict(list)
        self.names = Names()
        self.codes: dict[str, str] = {}
        for company in Company.objects.select_related("country", "state", "business_type"):
            key = key_of(company.name)
            self.names.add(company.name, key)
            self.companies[key].append(company)
            self.codes.setdefault(company.short_name or "", key)
        self.brands = {brand.eng.casefold(): brand.eng for brand in Brand.objects.all()}
        self.types = {one.type.casefold(): one.type for one in BusinessType.objects.all()}
        self.countries: dict[str, AddressEntry | None] = {}
        people = User.objects.filter(is_staff=False).values_list("email", "company__name")
        self.domains = {domain_of(email): name for email, name in people}
        cells = [row.new.get(name, "") for row in rows for name in (EMAIL, PERSON)]
        addresses = {one.lower() for cell in cells for one in ADDRESS.findall(cell)}
        users = User.objects.filter(email__in=addresses)
        users = users.select_related("company", "ship_country", "ship_state")
        self.users = {user.email: user for user in users}
        # A name that is not known has no address, where others have: it may be one of them.
        has_addresses = any("address1" in row.new for row in rows)
        self.asks_for_new = bool(self.companies) or has_addresses
        self.known: dict[str, Known | ImportRow] = {}
        self.emails: dict[str, ImportRow] = {}
        self.unnamed: dict[int, list[str]] = defaultdict(list)  # of each sheet, for its question

    def run(self) -> None:
        """Compare each row."""
        last: Known | ImportRow | None = None
        sheet = 0
        for row in self.rows:
            if row.number // ImportRow.PER_SHEET != sheet:
                last, sheet = None, row.number // ImportRow.PER_SHEET
            names = (row.new[one] for one in (COMPANY, EMAIL, PERSON) if row.new.get(one))
            if next(names, "").startswith("※"):
                leave(row, Text("a note"))
                row.new = {}
            else:
                last = self._row(row, last)

    def _row(self, row: ImportRow, last: Known | ImportRow | None) -> Known | ImportRow | None:
        """Compare a row; return whose company the rows below it have, or the row that should have
        said it.
        """
        said, row.new, row.old = row.new, {}, {}
        name = said.pop(COMPANY, "")
        row.sku, row.made = (said.get(EMAIL) or name or said.get(PERSON, ""))[:60], {"name": name}
        if row.result == Result.FAULTY:
            if name and key_of(name) not in {*self.known, *self.companies}:
                self.known[key_of(name)] = row
            return row if name else last
        if SUPPLIER.search(said.get(GROUP, "")):
            leave(row, Text("no customer: %(group)s", group=said[GROUP]))
            return row if name else last
        values = self._understood(row, said)
        is_unnamed = not name and CODE not in values
        if is_unnamed and isinstance(last, Known) and not self._is_of(row, last, values):
            return last
        found = self._company(row, name, last, values)
        if isinstance(found, Known) and row.result == Result.SAME:
            row.made = {"name": found.name}
            self._compare(row, found, values)
        if row.result in (Result.FAULTY, Result.LEFT):
            row.new, row.old = {}, {}
            if name and isinstance(found, Known) and found.row is row:
                self.known[key_of(name)] = row
                return row
        return found

    def _is_of(self, row: ImportRow, last: Known, values: dict[str, Any]) -> bool:
        """Return whether a row without a company is of the one above it: its mail domain is that of
        the company, or so was answered, once for the sheet.
        """
        email = ADDRESS.search(f"{values.get(EMAIL, '')} {values.get(PERSON, '')}")
        if email and self.domains.get(domain_of(email[0])) == last.name:
            return True
        sheet = row.number // ImportRow.PER_SHEET
        if len(self.unnamed[sheet]) < MOST_NAMED:
            self.unnamed[sheet].append(f"{row.place} {row.sku} ({last.name})")
        rows = "; ".join(self.unnamed[sheet])
        answer = self.asked.answer(
            f"{ABOVE}:{sheet}",
            Text("Do rows without a company belong to the one above? %(rows)s", rows=rows),
            [(ABOVE, Text(_("Yes, of that company"))), (OUT, Text(OUT_TEXT))],
        )
        if answer != ABOVE:
            leave_out(row, answer)
        return answer == ABOVE

    def _compare(self, row: ImportRow, known: Known, values: dict[str, Any]) -> None:
        """Compare the person of a row, then what it says of its company: somebody who cannot come
        in as written is held back, the company is not.
        """
        own = {name: values[name] for name in OF_PERSON if name in values}
        has_person = PERSON in values or EMAIL in values
        if own and not has_person:
            refuse(row, missing(COLUMNS[EMAIL].title))
            return
        phone = values.get(PHONE)
        if has_person and phone and known.values.get(PHONE, phone) != phone:
            values[MOBILE] = values.pop(PHONE)  # of the person: the company has another
        problems = self._people(row, known, values, own) if has_person else []
        if row.result == Result.FAULTY:
            return
        self._merge(row, known, values)
        if row.result == Result.SAME and problems:
            refuse(row, *problems)
            is_twice = all(one.key == TWICE for one in problems)
            row.result = Result.TWICE if is_twice else Result.FAULTY
        elif problems and row.result != Result.FAULTY:
            hold(row, "person", *problems)

    def _company(
        self, row: ImportRow, name: str, last: Known | ImportRow | None, values: dict[str, Any]
    ) -> Known | ImportRow | None:
        key = self._key(row, name, values)
        if key is None:
            return row
        found = self.known.get(key) if key else None if CODE in values else last
        if name and found is None:
            there = self.companies.get(key, [])
            if len(there) > 1:
                refuse(row, Text("%(count)s customers have this name", count=len(there)))
            if there and not there[0].is_open:
                refuse(row, Text("this customer is closed"))
            company = there[0] if there else None
            found = self.known[key] = Known(company.name if company else name, row, company)
            if company is None:
                self.names.add(name, key)
                self._look_at_trading(row, values)
        if found is None:
            refuse(row, missing(COLUMNS[COMPANY].title))
        elif isinstance(found, ImportRow) and found.result == Result.LEFT:
            leave(row, Text("its company, in row %(row)s, is left out", row=found.place))
        elif isinstance(found, ImportRow) and found is not row:
            refuse(row, Text("its company, in row %(row)s, cannot be read", row=found.place))
        return found

    def _key(self, row: ImportRow, name: str, values: dict[str, Any]) -> str | None:
        """Return the key of the company that a name means: the one of another legal form, or one of
        almost that name, which is asked; None until it is answered.
        """
        key = key_of(name)
        if code := values.get(CODE, ""):
            key = self.codes.setdefault(code, key if name else "")
        if not name or key in self.known or key in self.companies:
            return key
        country = values.get("country")
        same = [
            one
            for one in self.names.same(name)
            if not country or self._country_of(one) in ("", country)
        ]
        if len(same) > 1:
            refuse(row, Text("%(count)s customers have this name", count=len(same)))
        if len(same) == 1:
            hold(row, "written", Text("is read as “%(name)s”", name=self._name_of(same[0])))
        if same:
            return same[0]
        return key if CODE in values else self._near(row, name, key, values)

    def _near(self, row: ImportRow, name: str, key: str, values: dict[str, Any]) -> str | None:
        """Return the key of a name of which almost that is there, as it was answered; a name that
        would be added without an address is held against those that hold a part of it, too.
        """
        near = self.names.near(name, partly="address1" not in values and self.asks_for_new)
        if not near:
            return key
        answer = self.asked.answer(
            f"company:{name}",
            Text("Which customer is “%(name)s”?", name=name),
            [
                *((f"={one}", Text(self._name_of(one))) for one in near),
                (OTHER, Text(_("No, another customer: it is added"))),
                (OUT, Text(OUT_TEXT)),
            ],
        )
        if answer in ("", OUT):
            leave_out(row, answer)
            self.known[key] = row
            return None
        return key if answer == OTHER else answer[1:]

    def _name_of(self, key: str) -> str:
        known = self.known.get(key)
        if isinstance(known, ImportRow):
            return str(known.made.get("name") or key)
        return known.name if known else self.companies[key][0].name

    def _country_of(self, key: str) -> str:
        known, there = self.known.get(key), self.companies.get(key)
        said = known.values.get("country", "") if isinstance(known, Known) else ""
        country = there[0].country if there else None
        return said or (country.content if country else "")

    def _look_at_trading(self, row: ImportRow, values: dict[str, Any]) -> None:
        """Ask how a new customer comes in that trades no more, or of which a word says something
        that is not known.
        """
        word = values.get(STATE, "")
        stopped = STOPPED.search(values.get(NOTE, "")) or STOPPED.search(word)
        if not stopped and (not word or word.casefold() in TRADING):
            return
        text = stopped[0] if stopped else word
        answer = self.asked.answer(
            f"trading:{text}",
            Text("How should customers marked “%(word)s” be imported?", word=text),
            [
                (CLOSED, Text(_("Closed: nobody of them can sign in"))),
                (AS_OTHERS, Text(_("As the others"))),
                (OUT, Text(OUT_TEXT)),
            ],
        )
        if answer in ("", OUT):
            leave_out(row, answer)
        values["closed"] = answer == CLOSED

    def _understood(self, row: ImportRow, said: dict[str, Any]) -> dict[str, Any]:
        """Return what a row says, as the portal spells it."""
        values = dict(said)
        if CODE in values:
            values.setdefault(SHORT, values[CODE])
        if POSITION in values:
            values[NOTE] = "\n".join(filter(None, (values.get(NOTE), values.pop(POSITION))))
        dial = values.get(DIAL, "").lstrip("+0")
        if dial and PHONE in values:
            values[PHONE] = f"+{dial} {values[PHONE].lstrip('0')}"
        if len(values.get("address1", "")) > MOST_LINE:  # it goes on on the next line
            line = values["address1"][:MOST_LINE].rpartition(" ")[0] or values["address1"]
            rest = values["address1"][len(line) :].strip(" ,")
            values["address1"], values["address2"] = line[:MOST_LINE], rest[:MOST_LINE]
        self._look_up(row, values)
        if SHARE in values and not self.may_set_share:
            _fault(row, SHARE, Text("you may not set it"))
        if BRANDS in values and values[BRANDS] != ALL_BRANDS:
            self._look_at_brands(row, values)
        texts = {name: values.get(name) for name in PRINTED}
        for name, fault in unprinted(texts).items():
            _empty(row, name, fault)
            values[name] = ""
        return {name: value for name, value in values.items() if value != ""}

    def _look_up(self, row: ImportRow, values: dict[str, Any]) -> None:
        """Spell countries and the business type as here; what is not known is left empty."""
        for name in {"country", "ship_country"} & values.keys():
            entry = self._country(values[name])
            if entry is None:
                _empty(row, name, Text("“%(text)s” is not a country", text=values[name][:40]))
            values[name] = entry.content if entry else ""
        if TYPE in values:
            type_ = values[TYPE].casefold()
            known = self.types.get(type_) or self.types.get(IN_KOREAN.get(type_, ""), "")
            if not known:
                _empty(row, TYPE, Text("“%(text)s” is not known", text=values[TYPE]))
            values[TYPE] = known

    def _country(self, text: str) -> AddressEntry | None:
        if text not in self.countries:
            self.countries[text] = country_of(text)
        return self.countries[text]

    def _look_at_brands(self, row: ImportRow, values: dict[str, Any]) -> None:
        """Set the brands that a row names; one that is not known is asked."""
        known, waits = set(), False
        for name in brands_in(values[BRANDS], self.brands):
            brand = self.brands.get(name.casefold()) or self._asked_brand(name)
            known |= {brand} - {"", OUT}
            waits |= not brand
        if waits:
            _fault(row, BRANDS, Text(ASKED))
        elif not known:
            _fault(row, BRANDS, Text("none of them is known"))
        values[BRANDS] = "; ".join(sorted(known))

    def _asked_brand(self, name: str) -> str:
        nearest = extract(name.casefold(), self.brands.keys(), scorer=ratio, limit=None)
        return self.asked.answer(
            f"brand:{name}",
            Text("Which brand is “%(name)s”?", name=name),
            [
                (OUT, Text(_("None: leave it out"))),
                *((self.brands[key], Text(self.brands[key])) for key, *_score in nearest),
            ],
        )

    def _set_state(self, row: ImportRow, name: str, said: dict[str, Any], country: str) -> None:
        """Spell a state as here; it needs its country."""
        entry = self._country(country) if country else None
        state = state_of(said[name], entry) if entry else None
        if state is None:
            text = Text(
                "“%(text)s” is not a state of %(country)s",
                text=said[name],
                country=Text(country or "–"),
            )
            _empty(row, name, text)
            del said[name]
        else:
            said[name] = state.content

    def _merge(self, row: ImportRow, known: Known, values: dict[str, Any]) -> None:
        """Add what a row says of its company to what the rows above said; they may not differ."""
        own = {name: values[name] for name in OF_COMPANY if name in values}
        kept = values_of_company(known.company) if known.company else {}
        if "state" in own:
            country = own.get("country") or known.values.get("country") or kept.get("country", "")
            self._set_state(row, "state", own, country)
        for name, value in own.items():
            if known.values.get(name, value) != value:
                other = known.said_in[name].place
                said = known.values[name]
                said = Text(said) if name.endswith("country") else said
                text = Text("row %(row)s says “%(text)s”", row=other, text=said)
                _fault(row, name, text)
        if row.result == Result.FAULTY:
            return
        for name, value in own.items():
            known.said_in.setdefault(name, row)
            known.values[name] = value
        self._write_down(row, known, values, kept)

    def _write_down(
        self, row: ImportRow, known: Known, values: dict[str, Any], kept: dict[str, Any]
    ) -> None:
        """Let the row that carries a company say what becomes of it."""
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
            row.result, row.made["adds"] = Result.NEW, ["company"]
            row.made |= {name: values[name] for name in (NOTE, "closed") if values.get(name)}
            row.new = {COMPANY: known.name, **row.new}
            if "address1" not in values and self.asks_for_new:
                hold(row, "added", Text("no customer of this name: it is added"))
        else:
            row.made["of"] = first.number

    def _people(
        self, row: ImportRow, known: Known, values: dict[str, Any], own: dict[str, Any]
    ) -> list[Text]:
        """Keep what the people of a row become; return what of them does not come in as written,
        those who wait for an answer make the row wait.
        """
        people = people_in(values.get(PERSON, ""), values.get(EMAIL, ""))
        pairs = people.pairs
        problems: list[Text] = []
        if people.addresses:
            asked, problems = self._paired(row, people)
            pairs = pairs + asked
        mobiles = [*filter(None, values.get(MOBILE, "").split("; ")), *people.phones]
        if len(mobiles) != len(pairs) or any(len(one) > MOST_PHONE for one in mobiles):
            if mobiles:
                said = ", ".join(mobiles)
                problems.append(Text("“%(text)s” is not read: whose number is it?", text=said))
            mobiles = [""] * len(pairs)
        for (name, address), mobile in zip(pairs, mobiles, strict=True):
            says = {"ship_phone": mobile, **own} if mobile else own
            if problem := self._person(row, known, (name, address, values.get(NOTE, "")), says):
                problems.append(problem)
            elif row.result != Result.SAME and IN_A_LIST.search(name):
                problems.append(Text("“%(name)s” is read as one person", name=name))
        return problems

    def _paired(self, row: ImportRow, people: People) -> tuple[list[tuple[str, str]], list[Text]]:
        """Return whose address is which where names and addresses do not agree in number, as it
        was answered, and who is left out by that.
        """
        names, addresses = people.names, people.addresses
        said = {"names": ", ".join(names), "emails": ", ".join(addresses)}
        if len(names) > 1 and len(addresses) > 1:
            refused = Text("%(names)s; %(emails)s: not imported, give each person a row", **said)
            return [], [refused]
        pairs = [(name, address) for name in names for address in addresses]
        if len(addresses) == 1:
            pairs.insert(0, (" ".join(names), addresses[0]))
        choices = {f"{name} {address}": Text(f"{name}, {address}") for name, address in pairs}
        answer = self.asked.answer(
            f"person:{row.number}",
            Text(
                "Row %(row)s: who of %(names)s; %(emails)s should be imported?",
                row=row.place,
                **said,
            ),
            [*choices.items(), (OUT, Text(_("Nobody of them")))],
        )
        if not answer:
            leave_out(row, "")
        text = Text("%(names)s; %(emails)s: as you answered", **said)
        return [one for one in pairs if " ".join(one) == answer][:1], [text]

    def _person(
        self, row: ImportRow, known: Known, said: tuple[str, str, str], own: dict[str, Any]
    ) -> Text | None:
        """Keep what a person becomes, of whom a name, an address and a remark are said; return why
        this one does not come in.
        """
        name, address, note = said
        if LEFT.search(f"{name} {note}"):
            return Text("%(name)s has left: not imported", name=name or address)
        if not address:
            return Text("%(name)s has no e-mail address: not imported", name=name)
        title = Text(COLUMNS[EMAIL].title)
        try:
            email = email_of(address)
        except CellFault as fault:
            return Text("%(column)s: %(fault)s", column=title, fault=fault.args[0])
        if email in self.emails:
            return Text(TWICE, email=email, row=self.emails[email].place)
        user = self.users.get(email)
        self.emails[email] = row
        if user is not None and (why := _not_changed(user, known)):
            return Text("%(column)s: %(fault)s", column=title, fault=why)
        if user is None and not name:
            return Text("%(email)s has no name: not imported", email=email)
        if len(name) > MOST_NAME:
            return Text("%(name)s: longer than %(count)s characters", name=name, count=MOST_NAME)
        self._keep(row, known, user, email, {PERSON: name, **own} if name else dict(own))
        return None

    def _keep(
        self, row: ImportRow, known: Known, user: User | None, email: str, says: dict[str, Any]
    ) -> None:
        """Keep in the row what a person becomes."""
        kept = values_of_person(user) if user else {}
        if "ship_state" in says:
            country = says.get("ship_country") or kept.get("ship_country", "")
            self._set_state(row, "ship_state", says, country)
        changes = {name: value for name, value in says.items() if kept.get(name) != value}
        person: dict[str, Any] = {"new": changes, "old": {name: kept.get(name) for name in changes}}
        if user:
            person["user"] = user.pk
            row.result = Result.CHANGED if changes and row.result == Result.SAME else row.result
        else:
            person |= {"adds": True, "new": {EMAIL: email, **changes}, "old": {}}
            row.result = Result.NEW
            domain = domain_of(email)
            other = self.domains.setdefault(domain, known.name) if domain else known.name
            if key_of(other or "") != key_of(known.name):
                text = Text("%(domain)s also belongs to “%(name)s”", domain=domain, name=other)
                hold(row, "near", text)
        row.made.setdefault("people", []).append(person)
        for side in ("new", "old"):  # of several people all are shown
            shown = getattr(row, side)
            for name, value in person[side].items():
                is_also = name in (EMAIL, PERSON) and name in shown
                shown[name] = f"{shown[name]}; {value}" if is_also else value


def _not_changed(user: User, known: Known) -> Text | None:
    """Return why a person that is there cannot be the one of a row."""
    if user.is_staff:
        return Text("it is a colleague's")
    if known.company is None or user.company_id != known.company.pk:
        return Text("it belongs to %(company)s", company=str(user.company))
    if user.approval != User.Approval.APPROVED:
        return Text("its registration is not approved: decide it first")
    return None


def _fault(row: ImportRow, name: str, fault: Text) -> None:
    title = Text(COLUMNS[name].title)
    refuse(row, Text("%(column)s: %(fault)s", column=title, fault=fault))


def _empty(row: ImportRow, name: str, fault: Text) -> None:
    """Leave a cell empty that a row can be without, once that is ticked."""
    if name == COMPANY:
        _fault(row, name, fault)
        return
    title = Text(COLUMNS[name].title)
    fault = Text("%(column)s: %(fault)s", column=title, fault=fault)
    hold(row, "empty", Text("%(fault)s: left empty", fault=fault))
