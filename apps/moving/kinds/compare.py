"""Customers and people of a file beside those that are there: what is new, what changes, what is
doubtful.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext_noop as _
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import extract, extractOne

from apps.accounts.models import AddressEntry, BusinessType, Company, User
from apps.accounts.registrations import domain_of
from apps.catalog.models import Brand, ImportRow
from apps.common.names import bare
from apps.common.printed import printing_faults
from apps.common.tables.cells import CellFault, heading
from apps.common.texts import Text
from apps.moving.kinds.apart import LEFT, SAME_PERSON, Someone, address_in, people_in
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
    PLACES,
    POSITION,
    PRINTED,
    SHARE,
    SHORT,
    STATE,
    TYPE,
    brands_in,
    email_of,
)
from apps.moving.kinds.places import country_of, state_of
from apps.moving.services.people import ALL_BRANDS, values_of_company, values_of_person
from apps.moving.services.rows import (
    ASKED,
    OUT,
    OUT_TEXT,
    UNCLEAR,
    Asked,
    hold,
    leave,
    leave_out,
    refuse,
    sheets_of,
)

Result = ImportRow.Result
# What companies of one name may or may not write in front of it or behind.
FORMS = re.compile(
    r"\b(llc|l l c|inc|incorporated|ltd|limited|co|corp|corporation|company|gmbh|ag|kg|ug|sa|sas"
    r"|sarl|srl|spa|bv|b v|nv|n v|oy|ab|as|a s|aps|pty|plc|pte|pvt|sdn bhd|sp z o o|sp z oo|lda"
    r"|ltda|llp|s a de c v|sa de cv|s a s|s a|s r l|s r o|sro|s p a|d o o|doo|uab|ike|epe|est"
    r"|fze|fzco|fop|kk|s l|sl|s a c|sac|k k|kft|zrt|jsc|ooo|too|ip|pt|mchj|llp|sti|trading"
    r"|general trading|유한회사|주식회사|주)\b"
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
ALIKE = 90  # percent of the letters
TRADING = frozenset({"a", "active", "y", "o", "○", "거래중", "거래", "정상", "사용", "yes"})
STOPPED = re.compile(r"거래\s*(중지|종료|중단|정지)|폐업|\bstopped\b|\bclosed\b", re.IGNORECASE)
SUPPLIER = re.compile(
    r"매입처|포워더|공급(처|사|업체)|제조사|supplier|forwarder|vendor", re.IGNORECASE
)
CLOSED, AS_OTHERS, ABOVE = "closed", "open", "above"
OTHER = "new"
MANY = 5  # one of so many rows


def key_of(name: str) -> str:
    """Return a company's name as it is the same, whatever its case and spaces."""
    return " ".join(bare(name).split())


def loose_key(name: str) -> str:
    """Return what is left of a name that is written in several ways."""
    return FORMS.sub("", heading(bare(name))).replace(" ", "")


def _is_filled(rows: Sequence[ImportRow]) -> bool:
    """Return whether a sheet names a company once and leaves it empty below, as with merged cells:
    empty ones follow each other, or are many, and are more than those that are written again.
    """
    names = [row.new.get(COMPANY) or row.new.get(CODE, "") for row in rows]
    pairs = list(pairwise(names))
    again = sum(above == below != "" for above, below in pairs)
    is_much = ("", "") in pairs or MANY * names.count("") >= len(names)
    return is_much and names.count("") > again


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
        self.companies: dict[str, list[Company]] = {}
        for company in Company.objects.select_related("country", "state", "business_type"):
            self.companies.setdefault(key_of(company.name), []).append(company)
        self.brands = {brand.eng.casefold(): brand.eng for brand in Brand.objects.all()}
        self.types = {one.type.casefold(): one.type for one in BusinessType.objects.all()}
        self.countries: dict[str, AddressEntry | None] = {}
        self.states: dict[tuple[str, str], str] = {}
        self.loose: dict[str, dict[str, str]] = {}  # by the two letters that they begin with
        self.spellings: dict[str, list[str]] = defaultdict(list)  # keys by what is left of a name
        for key, found in self.companies.items():
            self._remember(found[0].name, key)
        people = User.objects.filter(is_staff=False).values_list("email", "company__name")
        self.domains = {domain_of(email): name for email, name in people}
        self.users: dict[str, User] = {}
        self.has_addresses, self.is_filled, self.left = False, False, set[str]()
        self.known: dict[str, Known | ImportRow] = {}
        self.emails: dict[str, ImportRow] = {}
        self.codes = {
            found[0].short_name: key for key, found in self.companies.items() if found[0].short_name
        }
        self.names: dict[tuple[str, str], ImportRow] = {}

    def run(self) -> None:
        """Compare each row."""
        addresses = {email.lower() for row in self.rows for email in _emails(row.new)}
        people = User.objects.filter(email__in=addresses).select_related(
            "company", "ship_country", "ship_state"
        )
        self.users = {user.email: user for user in people}
        self.left = {
            email.lower()
            for row in self.rows
            if LEFT.search(f"{row.new.get(NOTE, '')} {row.new.get(POSITION, '')}")
            for email in _emails(row.new)
            if len(_emails(row.new)) == 1
        }
        self.has_addresses = any("address1" in row.new for row in self.rows)
        for sheet in sheets_of(self.rows):
            last: Known | ImportRow | None = None
            rows = list(sheet)
            self.is_filled = _is_filled(rows)
            for row in rows:
                last = self._row(row, last)

    def _row(self, row: ImportRow, last: Known | ImportRow | None) -> Known | ImportRow | None:
        """Compare a row; return whose company the rows below it have, or the row that should have
        said it.
        """
        said, row.new, row.old = row.new, {}, {}
        name = said.pop(COMPANY, "")
        row.sku = (_emails(said)[:1] or [name or said.get(PERSON, "")])[0][:60]
        if row.result == Result.FAULTY:
            row.made = {"name": name}
            if name and key_of(name) not in {*self.known, *self.companies}:
                self.known[key_of(name)] = row
            return row if name else last
        if SUPPLIER.search(said.get(GROUP, "")):
            leave(row, Text("no customer: %(group)s", group=said[GROUP]))
            return last if not name else row
        people = self._people_of(said)
        values = self._understood(row, said)
        is_unnamed = not name and CODE not in values
        if is_unnamed and isinstance(last, Known) and not self._is_of(row, last, people):
            return last
        found = self._company(row, name, last, values)
        if isinstance(found, Known) and row.result == Result.SAME:
            row.made = {"name": found.name}
            self._compare(row, found, values, people)
        if row.result in (Result.FAULTY, Result.LEFT):
            row.new, row.old = {}, {}
            if name and isinstance(found, Known) and found.row is row:
                self.known[key_of(name)] = row
                return row
        return found

    def _compare(
        self, row: ImportRow, known: Known, values: dict[str, Any], people: list[Someone]
    ) -> None:
        """Compare the people of a row, then what it says of its company: somebody who cannot come
        in as written is held back, the company is not.
        """
        own = {name: values[name] for name in OF_PERSON if name in values}
        before = len(row.made.get("people", ()))
        problems = [text for one in people if (text := self._person(row, known, one, own))]
        if own and not people:
            _fault(row, EMAIL, Text("it is missing"))
        if row.result == Result.FAULTY:
            return
        self._merge(row, known, values)
        if row.result == Result.SAME and problems and len(row.made.get("people", ())) == before:
            is_twice = all(text.key == TWICE for text in problems)
            refuse(row, *problems)
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
                self._remember(name, key)
                self._look_at_trading(row, values)
        if found is None:
            refuse(row, Text("Company: it is missing"))
        elif isinstance(found, ImportRow) and found.result == Result.LEFT:
            leave(row, Text("its company, in row %(row)s, is left out", row=found.place))
        elif isinstance(found, ImportRow) and found is not row:
            refuse(row, Text("its company, in row %(row)s, cannot be read", row=found.place))
        return found

    def _is_of(self, row: ImportRow, last: Known, people: list[Someone]) -> bool:
        """Return whether a row without a company is of the one above. In a list whose rows name
        theirs, or with another mail domain, somebody with an address is asked, others stay out.
        """
        own = {domain for domain, name in self.domains.items() if domain and name == last.name}
        emails = [one.email.lower() for one in people if one.email]
        others = set(filter(None, map(domain_of, emails))) - own
        if self.is_filled and not (own and others):
            return True
        if not emails:
            refuse(row, Text("Company: it is missing"))
            return False
        text = Text("Row %(row)s, %(email)s, names no company. Is it of “%(name)s”, above it?",
                    row=row.place, email=emails[0], name=last.name)  # fmt: skip
        choices = [(ABOVE, Text(_("Yes, of that company"))), (OUT, Text(OUT_TEXT))]
        answer = self.asked.answer(f"above:{row.number}", text, choices)
        if answer != ABOVE:
            leave_out(row, answer)
        return answer == ABOVE

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
            for one in self.spellings[loose_key(name)]
            if not country or self._country_of(one) in ("", country)
        ]
        if len(same) > 1:
            refuse(row, Text("%(count)s customers have this name", count=len(same)))
        if len(same) == 1:
            hold(row, "written", Text("is read as “%(name)s”", name=self._name_of(same[0])))
        if same:
            return same[0]
        return key if CODE in values else self._near(row, name, key)

    def _near(self, row: ImportRow, name: str, key: str) -> str | None:
        """Return the key of a name of which almost that is there, as it was answered."""
        loose = loose_key(name)
        alike = self.loose.get(loose[:2], {})
        found = extractOne(loose, alike.keys(), scorer=ratio, score_cutoff=ALIKE)
        if not found:
            return key
        near = alike[found[0]]
        other = self._name_of(near)
        answer = self.asked.answer(
            f"company:{name}",
            Text("Is “%(name)s” the customer “%(other)s”?", name=name, other=other),
            [
                ("same", Text("Yes, “%(other)s” is meant", other=other)),
                (OTHER, Text(_("No, another customer: it is added"))),
                (OUT, Text(OUT_TEXT)),
            ],
        )
        if answer in ("", OUT):
            leave_out(row, answer)
            self.known[key] = row
            return None
        return near if answer == "same" else key

    def _remember(self, name: str, key: str) -> None:
        loose = loose_key(name)
        self.loose.setdefault(loose[:2], {}).setdefault(loose, key)
        self.spellings[loose].append(key)

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
            Text("How do customers come in who are marked “%(word)s”?", word=text),
            [
                (CLOSED, Text(_("Closed: nobody of them can sign in"))),
                (AS_OTHERS, Text(_("As the others"))),
                (OUT, Text(OUT_TEXT)),
            ],
        )
        if answer in ("", OUT):
            leave_out(row, answer)
        values["closed"] = answer == CLOSED

    def _people_of(self, said: dict[str, Any]) -> list[Someone]:
        """Take the people of a row out of what it says; what is left of its phones is the
        company's.
        """
        note = "\n".join(filter(None, [said.get(NOTE, ""), said.pop(POSITION, "")]))
        names, emails = said.pop(PERSON, ""), said.pop(EMAIL, "")
        mobiles = said.pop(MOBILE, "")
        people, phone = people_in(names, emails, mobiles or said.get(PHONE, ""), note)
        if mobiles and phone and len(people) == 1:
            people[0].phone = phone
        elif not mobiles and PHONE in said:
            said[PHONE] = phone
        if not said.get(PHONE):
            said.pop(PHONE, None)
        return people

    def _understood(self, row: ImportRow, said: dict[str, Any]) -> dict[str, Any]:
        """Return what a row says, as the portal spells it."""
        values = dict(said)
        if CODE in values:
            values.setdefault(SHORT, values[CODE])
        dial = values.get(DIAL, "").lstrip("+0")
        if dial and PHONE in values:
            values[PHONE] = f"+{dial} {values[PHONE].lstrip('0')}"
        if "address1" in values and not {"city", "zipcode", "state"} & values.keys():
            self._take_apart(row, values)
        self._look_at_countries(row, values)
        self._look_at_type(row, values)
        self._look_at_share(row, values)
        if BRANDS in values and values[BRANDS] != ALL_BRANDS:
            self._look_at_brands(row, values)
        texts = {name: values.get(name) for name in PRINTED}
        for name, faults in printing_faults(texts).items():
            for fault in faults:
                _fault(row, name, Text(str(fault)))
        return values

    def _look_at_countries(self, row: ImportRow, values: dict[str, Any]) -> None:
        for name in PLACES:
            if name in values and not name.endswith("state"):
                entry = self._country(values[name])
                if entry is None:
                    _fault(row, name, Text("“%(text)s” is no country", text=values[name][:40]))
                values[name] = entry.content if entry else None

    def _look_at_type(self, row: ImportRow, values: dict[str, Any]) -> None:
        if TYPE in values:
            said = values.pop(TYPE)
            known = self.types.get(said.casefold()) or self.types.get(
                IN_KOREAN.get(said.casefold(), "")
            )
            if known:
                values[TYPE] = known
            else:
                text = Text("Business type “%(text)s” is not known: left empty", text=said)
                hold(row, "type", text)

    def _take_apart(self, row: ImportRow, values: dict[str, Any]) -> None:
        """Split an address that stands in one cell; what is longer than a line goes on below."""
        parts = address_in(values["address1"])
        country = parts.pop("country", "")
        entry = self._country(country) if country else None
        if country and entry is None:
            parts = {"address1": values["address1"].replace("\n", ", ")}
        elif entry and "country" not in values:
            values["country"] = country
        elif entry and self._country(values["country"]) not in (None, entry):
            hold(row, "written", Text("its address is in %(country)s", country=Text(entry.content)))
        values |= parts
        if len(values["address1"]) > MOST_LINE:
            line = values["address1"][:MOST_LINE].rpartition(" ")[0]
            rest = values["address1"][len(line) :].strip(" ,")
            values["address1"], values["address2"] = line, rest[:MOST_LINE]

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

    def _look_at_brands(self, row: ImportRow, values: dict[str, Any]) -> None:
        """Set the brands that a row names; one that is not known is asked."""
        but, names = brands_in(values[BRANDS], self.brands)
        known, waits = set(), False
        for name in names:
            brand = self.brands.get(name.casefold()) or self._asked_brand(name)
            known |= {brand} - {"", OUT}
            waits |= not brand
        if waits:
            _fault(row, BRANDS, Text(ASKED))
        if but:
            known = set(self.brands.values()) - known
        if not known and not waits:
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

    def _state(self, row: ImportRow, name: str, text: str, country: str) -> str:
        """Return a state as it is spelled here; it needs its country."""
        if (text, country) not in self.states:
            entry = self._country(country) if country else None
            state = state_of(text, entry) if entry else None
            self.states[text, country] = state.content if state else ""
        if not self.states[text, country]:
            text_ = Text(
                "“%(text)s” is no state of %(country)s", text=text, country=Text(country or "–")
            )
            _fault(row, name, text_)
        return self.states[text, country]

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
            if "address1" not in values and (self.companies or self.has_addresses):
                hold(row, "added", Text("no customer of this name: it is added"))
        else:
            row.made["of"] = first.number

    def _person(
        self, row: ImportRow, known: Known, one: Someone, own: dict[str, Any]
    ) -> Text | None:
        """Compare a person of a row; return why this one does not come in as written."""
        if isinstance(email := self._email_of(row, known, one), Text):
            return email
        user = self.users.get(email)
        kept = values_of_person(user) if user else {}
        says = {PERSON: one.name, "ship_phone": one.phone, **own}
        says = {name: value for name, value in says.items() if value or name in own}
        if "ship_state" in says:
            country = says.get("ship_country") or kept.get("ship_country", "")
            says["ship_state"] = self._state(row, "ship_state", says["ship_state"], country)
        self._keep(row, known, user, email, says, kept)
        if not one.is_sure:
            return Text("%(email)s is read as %(name)s's", email=email, name=one.name)
        return None

    def _email_of(self, row: ImportRow, known: Known, one: Someone) -> str | Text:
        """Return the e-mail address of a person, or why this one does not come in."""
        if one.has_left or one.email.lower() in self.left:
            return Text("%(name)s left: not taken in", name=one.name or one.email)
        if not one.email:
            return Text("%(name)s has no e-mail address: not taken in", name=one.name)
        if SAME_PERSON.search(one.name):
            return Text("%(email)s is a second address: not taken in", email=one.email)
        if re.search("[?？]", one.name):
            return Text("who is “%(name)s”? Not taken in", name=one.name)
        title = Text(COLUMNS[EMAIL].title)
        try:
            email = email_of(one.email)
        except CellFault as fault:
            return Text("%(column)s: %(fault)s", column=title, fault=fault.args[0])
        if email in self.emails:
            return Text(TWICE, email=email, row=self.emails[email].place)
        user = self.users.get(email)
        namesake = self.names.setdefault((known.name, one.name.casefold()), row)
        if namesake is not row and user is None and one.name:
            return Text(
                "%(name)s has another address in row %(row)s: not taken in",
                name=one.name,
                row=namesake.place,
            )
        self.emails[email] = row
        if user is not None and (why := _not_changed(user, known)):
            return Text("%(column)s: %(fault)s", column=title, fault=why)
        if user is None and not one.name:
            return Text("%(email)s has no name: not taken in", email=email)
        return email

    def _keep(
        self,
        row: ImportRow,
        known: Known,
        user: User | None,
        email: str,
        says: dict[str, Any],
        kept: dict[str, Any],
    ) -> None:
        """Keep what a person becomes in the row."""
        changes = {name: value for name, value in says.items() if kept.get(name) != value}
        person: dict[str, Any] = {"new": changes, "old": {name: kept.get(name) for name in changes}}
        if user:
            person["user"] = user.pk
            row.result = Result.CHANGED if changes and row.result == Result.SAME else row.result
        else:
            person |= {"adds": True, "new": {EMAIL: email, **changes}, "old": {}}
            row.result = Result.NEW
            self._look_at_domain(row, known, email)
        row.made["people"] = [*row.made.get("people", ()), person]
        for side in ("new", "old"):
            shown = row.new if side == "new" else row.old
            for name, value in person[side].items():
                shown[name] = f"{shown[name]}, {value}" if name in shown else value

    def _look_at_domain(self, row: ImportRow, known: Known, email: str) -> None:
        domain = domain_of(email)
        other = self.domains.setdefault(domain, known.name) if domain else known.name
        if key_of(other or "") != key_of(known.name):
            hold(row, "near", Text("%(domain)s is of “%(name)s”, too", domain=domain, name=other))


TWICE = _("%(email)s is in row %(row)s already")
MOST_LINE = 120


def _emails(said: dict[str, Any]) -> list[str]:
    return re.findall(r"[^\s;,/<>]+@[^\s;,/<>]+", said.get(EMAIL, ""))


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
