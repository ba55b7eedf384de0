"""Which customer a row is about, where the customer must be there."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from apps.accounts.models import Company, User
from apps.catalog.models import ImportRow
from apps.common.texts import Text
from apps.moving.kinds.columns import COMPANY, EMAIL
from apps.moving.kinds.compare import key_of, loose_key
from apps.moving.services.rows import refuse


class Customers:
    """The customers that the rows of a file may name."""

    def __init__(self, rows: Sequence[ImportRow]) -> None:
        self.companies: dict[str, list[Company]] = defaultdict(list)
        for company in Company.objects.all():
            self.companies[key_of(company.name)].append(company)
        self.loose = {loose_key(one[0].name): one[0].name for one in self.companies.values()}
        emails = [row.new[EMAIL] for row in rows if EMAIL in row.new]
        people = User.objects.filter(email__in=emails, company__isnull=False)
        self.people = {user.email: user for user in people.select_related("company")}

    def find(self, row: ImportRow, said: dict[str, Any]) -> Company | None:
        """Return the customer that a row names, by its name or a person's e-mail address; a row
        that names none, or several, is refused.
        """
        name, email = said.get(COMPANY, ""), said.get(EMAIL, "")
        person = self.people.get(email)
        found = self.companies.get(key_of(name), []) if name else []
        if person and person.company and not name:
            found = [person.company]
        if len(found) == 1 and (not email or (person and person.company == found[0])):
            return found[0]
        if len(found) == 1:
            refuse(row, Text("%(email)s is nobody of this customer", email=email))
        elif found:
            refuse(row, Text("%(count)s customers have this name", count=len(found)))
        elif near := self.loose.get(loose_key(name)) if name else None:
            refuse(row, Text("no customer has this name: is it “%(name)s”?", name=near))
        else:
            refuse(row, Text("no customer has this name"))
        return None
