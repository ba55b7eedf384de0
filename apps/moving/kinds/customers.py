"""Which customer a row is about, where the customer must be there."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_noop

from apps.accounts.models import Company, User
from apps.catalog.models import ImportRow
from apps.catalog.selectors.imports import held
from apps.common.texts import Text
from apps.moving.kinds.columns import COMPANY, EMAIL
from apps.moving.kinds.compare import key_of, loose_key
from apps.moving.services.rows import hold, refuse

WRITTEN = held(
    "written",
    gettext_noop("%(count)s customer's name in another spelling"),
    gettext_noop("%(count)s customers' names in another spelling"),
)


class Customers:
    """The customers that the rows of a file may name."""

    def __init__(self, rows: Sequence[ImportRow]) -> None:
        self.companies: dict[str, list[Company]] = defaultdict(list)
        for company in Company.objects.all():
            self.companies[key_of(company.name)].append(company)
        self.loose: dict[str, list[str]] = defaultdict(list)
        for key in self.companies:
            self.loose[loose_key(key)].append(key)
        emails = [row.new[EMAIL] for row in rows if EMAIL in row.new]
        people = User.objects.filter(email__in=emails, company__isnull=False)
        self.people = {user.email: user for user in people.select_related("company")}

    def find(self, row: ImportRow, said: dict[str, Any]) -> Company | None:
        """Return the customer that a row names, by its name or a person's e-mail address; one with
        another legal form is asked, a row that names none, or several, is refused.
        """
        name, email = said.get(COMPANY, ""), said.get(EMAIL, "")
        person = self.people.get(email)
        found = self.companies.get(key_of(name), []) if name else []
        if person and person.company and not name:
            found = [person.company]
        same = self.loose[loose_key(name)] if name and not found else []
        if len(same) == 1 and len(self.companies[same[0]]) == 1:
            found = self.companies[same[0]]
            hold(row, "written", Text("is read as “%(name)s”", name=found[0].name))
        if len(found) == 1 and (not email or (person and person.company == found[0])):
            return found[0]
        if len(found) == 1:
            refuse(row, Text("%(email)s is nobody of this customer", email=email))
        elif found:
            refuse(row, Text("%(count)s customers have this name", count=len(found)))
        elif same:
            refuse(row, Text("%(count)s customers have this name", count=len(same)))
        else:
            refuse(row, Text("no customer has this name"))
        return None
