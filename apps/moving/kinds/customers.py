"""Which customer a row is about, where the customer must be there."""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_lazy, gettext_noop
from rapidfuzz.fuzz import partial_ratio, ratio
from rapidfuzz.process import extract

from apps.accounts.models import Company, User
from apps.catalog.models import ImportRow
from apps.catalog.services.import_kinds import row_guards
from apps.catalog.services.import_tables import OUT
from apps.common.names import bare
from apps.common.tables.cells import heading
from apps.common.texts import Text
from apps.moving.kinds.columns import CODE, COMPANY, EMAIL, WORDS
from apps.moving.kinds.rows import OUT_TEXT, Questions, hold, leave_out, refuse

NAME_GUARDS = row_guards(
    written=(
        gettext_noop("%(count)s customer's name in another spelling"),
        gettext_noop("%(count)s customers' names in another spelling"),
        gettext_lazy("Read as another"),
    )
)
# What companies of one name may or may not write in front of it or behind.
FORMS = re.compile(rf"\b({'|'.join(WORDS['legal_forms'])})\b")
PARTLY, ALMOST, MOST = 75, 90, 5  # percent of the letters; names that are offered


def key_of(name: str) -> str:
    """Return a company's name as it is the same, whatever its case and spaces."""
    return " ".join(bare(name).split())


def loose_key(name: str) -> str:
    """Return what is left of a name that is written in several ways."""
    return FORMS.sub("", heading(bare(name))).replace(" ", "")


class Names:
    """The names of companies, found in whatever way they are written; each has a key."""

    def __init__(self) -> None:
        self.keys: dict[str, list[str]] = defaultdict(list)  # by what is left of a name
        self.begin: dict[str, set[str]] = defaultdict(set)  # with two letters

    def add(self, name: str, key: str) -> None:
        """Let a name be found."""
        loose = loose_key(name)
        if loose and key not in self.keys[loose]:
            self.keys[loose].append(key)
            self.begin[loose[:2]].add(loose)

    def same(self, name: str) -> list[str]:
        """Return the keys of a name, whatever its legal form."""
        return self.keys.get(loose_key(name), [])

    def near(self, name: str, *, partly: bool = True) -> list[str]:
        """Return the keys of the name that is almost this, or of those that hold a part."""
        loose = loose_key(name)
        nearest = extract(loose, self.begin[loose[:2]], scorer=ratio, score_cutoff=ALMOST, limit=1)
        if partly and loose and not nearest:
            nearest = extract(
                loose, self.keys.keys(), scorer=partial_ratio, score_cutoff=PARTLY, limit=MOST
            )
        return [key for spelling, *_score in nearest for key in self.keys[spelling]]


class Customers:
    """The customers that the rows of a file may name, by name, short name or code."""

    def __init__(self, rows: Sequence[ImportRow], questions: Questions) -> None:
        self.questions = questions
        self.companies: dict[str, list[Company]] = defaultdict(list)
        self.spellings = Names()
        for company in Company.objects.select_related("country"):
            for key in {key_of(company.name), key_of(company.short_name)} - {""}:
                self.companies[key].append(company)
                self.spellings.add(key, key)
        emails = [row.new[EMAIL] for row in rows if EMAIL in row.new]
        people = User.objects.filter(email__in=emails, company__isnull=False)
        self.people = {user.email: user for user in people.select_related("company")}

    def find(self, row: ImportRow, cells: dict[str, Any]) -> Company | None:
        """Return the customer that a row names, by its name, its code or a person's e-mail address;
        one with another legal form is to be looked at, one that may be several is asked, a row that
        names none is refused.
        """
        company = self._company_of(row, cells)
        email = cells.get(EMAIL)
        if (
            company
            and email
            and (email not in self.people or self.people[email].company != company)
        ):
            refuse(row, Text("%(email)s is not a user of this customer", email=email))
            return None
        return company

    def people_for(self, row: ImportRow, company: Company, cells: dict[str, Any]) -> list[User]:
        """Return in whose name something of a company may be entered, the likeliest first: whose
        address stands there, else its people, two at most; a row of a company without is refused.
        """
        if EMAIL in cells:
            return [self.people[cells[EMAIL]]]
        people = list(company.users.filter(is_active=True).order_by("pk")[:2])
        if not people:
            refuse(row, Text("%(company)s has no people", company=company.name))
        return people

    def _company_of(self, row: ImportRow, cells: dict[str, Any]) -> Company | None:
        name, code = cells.get(COMPANY, ""), cells.get(CODE, "")
        person = self.people.get(cells.get(EMAIL, ""))
        if person and person.company and not name:
            return person.company
        companies = self.companies[key_of(code)] if code else []
        same = self._of(self.spellings.same(name))
        if name and companies and companies[0] not in same:
            companies = []
        companies = companies or self.companies[key_of(name)]
        if not companies and len(same) == 1:
            hold(row, "written", Text("is read as “%(name)s”", name=same[0].name))
        companies = companies or same
        if len(companies) == 1:
            return companies[0]
        return self._chosen_company(
            row, name or code, companies or self._of(self.spellings.near(name))
        )

    def _of(self, keys: Sequence[str]) -> list[Company]:
        return list({one.pk: one for key in keys for one in self.companies[key]}.values())

    def _chosen_company(
        self, row: ImportRow, name: str, companies: Sequence[Company]
    ) -> Company | None:
        """Return which of several customers a name means, as it was answered."""
        if not companies:
            refuse(row, Text("no customer has this name"))
            return None
        answer = self.questions.answer(
            f"company:{name}",
            Text("Which customer is “%(name)s”?", name=name),
            [
                *((str(one.pk), Text(f"{one.name}, {one.country or '–'}")) for one in companies),
                (OUT, Text(OUT_TEXT)),
            ],
        )
        if answer in ("", OUT):
            leave_out(row, answer)
            return None
        return next(one for one in companies if str(one.pk) == answer)
