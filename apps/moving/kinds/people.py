"""Customers and their people: a row a person with its company, or a company alone."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext, gettext_lazy as _, gettext_noop

from apps.accounts.models import (
    AddressEntry,
    BusinessType,
    Company,
    CompanyEvent,
    Invitation,
    RegistrationEvent as Step,
    User,
)
from apps.accounts.services.companies import keep_company_note, set_deposit_share, share_text
from apps.accounts.services.sessions import end_company_sessions, end_sessions
from apps.catalog.models import Brand, BrandAccess, Import, ImportRow
from apps.catalog.services.access import set_visible_brands
from apps.catalog.services.import_kinds import FAULTY, RowGuard, row_guards
from apps.common.errors import row_or_404
from apps.common.names import bare, bare_name
from apps.common.tables.headings import Table
from apps.common.texts import Text, in_english, phrase
from apps.moving.kinds.columns import (
    ALL_BRANDS,
    BRANDS,
    CODE,
    COLUMNS,
    COMPANY,
    COMPANY_TEXTS,
    EMAIL,
    PERSON,
    PERSON_TEXTS,
    SHARE,
    SHIP_TEXTS,
    WORDS,
    values_of_company,
    values_of_person,
)
from apps.moving.kinds.compare import MAX_EXAMPLES, Comparison
from apps.moving.kinds.customers import NAME_GUARDS
from apps.moving.kinds.rows import EMPTY, Questions, RowKind

Result = ImportRow.Result


class PeopleKind(RowKind):
    """Companies and people."""

    key = "people"
    label = _("Customers and their people")
    needs = ("accounts.add_company", "accounts.change_company", "accounts.change_user")
    sees = ("accounts.view_company", "accounts.view_user")
    page = "accounts.company"
    thing, find, name_column = _("Customer"), _("Find a customer or person"), gettext_noop("E-mail")
    about = _(
        "One row for each person, with its company, or for a company alone. Below a company, rows "
        "may leave its columns empty. Only the company is required; a person needs name and "
        "e-mail address. No mail is sent: people come in by an invitation, which you send "
        "afterwards."
    )
    next_step = (_("Send the invitations"), "admin:accounts_user_changelist", "?invitation=none")
    columns = COLUMNS
    required = (COMPANY,)
    optional = frozenset(COLUMNS) - {COMPANY, CODE, EMAIL, PERSON, BRANDS}
    name_of_row = (EMAIL, COMPANY)
    titles = {name: column.title for name, column in COLUMNS.items()}
    example = WORDS["examples"]["people"]
    guards = {
        **row_guards(
            near=(
                gettext_noop("%(count)s person with the mail domain of another company"),
                gettext_noop("%(count)s people with the mail domain of another company"),
                _("Which company?"),
            ),
            person=(
                gettext_noop("%(count)s row with somebody who is not imported as written"),
                gettext_noop("%(count)s rows with somebody who is not imported as written"),
                _("Somebody left out"),
            ),
            added=(
                gettext_noop("%(count)s new company without an address"),
                gettext_noop("%(count)s new companies without an address"),
                _("New company"),
            ),
        ),
        **NAME_GUARDS,
        **EMPTY,
        "twice": RowGuard(
            Q(result=Result.TWICE),
            gettext_noop("%(count)s person twice"),
            gettext_noop("%(count)s people twice"),
        ),
        "faulty": FAULTY,
    }

    def checked(self, table: Table) -> Table:
        """Return a table whose only column of addresses is that of their first line, and without
        names of people where none has an e-mail address: they are the seller's own.
        """
        columns = dict(table.columns)
        if "address1" not in columns and "address2" in columns:
            columns["address1"] = columns.pop("address2")
        if EMAIL not in columns:
            columns.pop(PERSON, None)
        return table._replace(columns=columns)

    def compare(self, rows: Sequence[ImportRow], questions: Questions) -> None:
        """Compare all rows with the customers and people that are there, and with each other."""
        Comparison(rows, questions).run()

    def detail(self, source: Import, guard: str, rows: QuerySet[ImportRow], count: int) -> str:
        """Return which rows a guard holds back: new companies by their names."""
        if guard != "added":
            return super().detail(source, guard, rows, count)
        names = ", ".join(row.made["name"] for row in rows.order_by("number")[:MAX_EXAMPLES])
        return phrase("%(skus)s and more", skus=names) if count > MAX_EXAMPLES else names

    def is_changed(self, row: ImportRow, *, undo: bool) -> bool:
        """Return whether the company or the person of a row is not what it was before it, or with
        `undo` after it; all stay locked.
        """
        before = row.new if undo else row.old
        if _adds_company(row) and not undo:
            names = Company.objects.alias(bare=bare_name("name"))
            if names.filter(bare=bare(row.new["company"])).exists():
                return True
        elif pk := row.made.get("company"):
            company = Company.objects.select_for_update().filter(pk=pk).first()
            if company is None or _differs(values_of_company(company), before):
                return True
        return any(_is_another(one, undo=undo) for one in row.made.get("people", ()))

    def apply_row(self, row: ImportRow, *, actor: User, now: datetime) -> None:
        """Write the company, then the person.

        Raises:
            PortalError: a service refuses it, or the row that adds the company was left out.
        """
        if "of" in row.made and not row.made.get("company"):
            first = row_or_404(row.source.rows.filter(number=row.made["of"], is_done=True))
            row.made["company"] = first.made["company"]
        company = _apply_company(row, row.new, actor=actor, now=now)
        for person in row.made.get("people", ()):
            _apply_person(row, person, person["new"], company, actor=actor, now=now)

    def undo_row(self, row: ImportRow, *, actor: User, now: datetime) -> dict[str, list[str]]:
        """Put back what the row changed; what it added goes, unless something names it."""
        stays = {}
        for person in row.made.get("people", ()):
            if "adds" in person:
                user = User.objects.select_for_update().get(pk=person.pop("user"))
                stays[user.email] = _drop_person(user)
            else:
                company = Company.objects.get(pk=row.made["company"])
                _apply_person(row, person, person["old"], company, actor=actor, now=now)
        if _adds_company(row):
            company = Company.objects.select_for_update().get(pk=row.made["company"])
            stays[company.name] = _drop_company(company, row.made.get("note", ""))
        elif "company" in row.made:
            _apply_company(row, row.old, actor=actor, now=now)
        return {name: references for name, references in stays.items() if references}

    def value_text(self, name: str, value: Any) -> str:
        """Return a value as staff read it: a share in percent, a country in their language."""
        if name == SHARE and value:
            return str(share_text(Decimal(value)))
        if name in ("country", "ship_country") and value:
            return gettext(value)
        return super().value_text(name, value)


def _adds_company(row: ImportRow) -> bool:
    return "company" in row.made.get("adds", ())


def _is_another(person: dict[str, Any], *, undo: bool) -> bool:
    if "adds" in person and not undo:
        return User.objects.filter(email=person["new"]["email"]).exists()
    user = User.objects.select_for_update().filter(pk=person["user"]).first()
    return user is None or _differs(values_of_person(user), person["new" if undo else "old"])


def _differs(now: dict[str, Any], before: dict[str, Any]) -> bool:
    return any(now[name] != value for name, value in before.items() if name in now)


def _apply_company(
    row: ImportRow, values: dict[str, Any], *, actor: User, now: datetime
) -> Company:
    if _adds_company(row) and "company" not in row.made:
        company = Company(name=row.new["company"])
    else:
        company = Company.objects.select_for_update().get(pk=row.made["company"])
    fields = {name: values[name] for name in COMPANY_TEXTS if name in values}
    fields |= _places(company, values, ("country", "state"))
    if "business_type" in values:
        fields["business_type"] = BusinessType.objects.filter(type=values["business_type"]).first()
    for name, value in fields.items():
        setattr(company, name, value)
    is_added = company.pk is None
    if is_added or fields:
        company.save()
        _log(row, company, actor)
    row.made["company"] = company.pk
    if is_added and (note := row.made.get("note")):
        keep_company_note(company_id=company.pk, text=note, actor=actor, now=now)
    _apply_terms(row, company, values, actor=actor, now=now)
    return company


def _apply_terms(
    row: ImportRow, company: Company, values: dict[str, Any], *, actor: User, now: datetime
) -> None:
    if "deposit_rate" in values:
        rate = Decimal(values["deposit_rate"]) if values["deposit_rate"] else None
        if rate != company.deposit_rate:
            set_deposit_share(
                company_id=company.pk,
                rate=rate,
                seen=company.deposit_rate,
                reason=row.source.name,
                actor=actor,
                now=now,
            )
    if "brands" in values:
        names = values["brands"].split("; ")
        brands = Brand.objects.filter(eng__in=names).values_list("pk", flat=True)
        chosen_brands = None if values["brands"] == ALL_BRANDS else list(brands)
        set_visible_brands(actor=actor, company_id=company.pk, brand_ids=chosen_brands)


def _apply_person(
    row: ImportRow,
    person: dict[str, Any],
    values: dict[str, Any],
    company: Company,
    *,
    actor: User,
    now: datetime,
) -> None:
    if "user" in person:
        user = User.objects.select_for_update().get(pk=person["user"])
    else:
        user = User(email=values["email"], company=company)
        user.approval, user.decided_by, user.decided_at = User.Approval.APPROVED, actor, now
        user.set_unusable_password()
        if "ship_address1" not in values:
            # Goods go to the company's address, to begin with.
            for name in ("country", "state", "city", "zipcode", "address1", "address2", "phone"):
                setattr(user, f"ship_{name}", getattr(company, name))
    fields = {name: values[name] for name in (*PERSON_TEXTS, *SHIP_TEXTS) if name in values}
    fields |= _places(user, values, ("ship_country", "ship_state"))
    if user.pk and not fields:
        return
    for name, value in fields.items():
        setattr(user, name, value)
    user.save()
    person["user"] = user.pk
    _log(row, user, actor)


def _places(
    thing: Company | User, values: dict[str, Any], names: tuple[str, str]
) -> dict[str, AddressEntry | None]:
    """Return the country and the state that are named; a state alone is of the thing's country."""
    entries = AddressEntry.objects.all()
    by_field: dict[str, AddressEntry | None] = {}
    country, state = names
    if country in values:
        by_field[country] = entries.filter(content=values[country], parent__isnull=True).first()
    if state in values:
        of = by_field[country] if country in by_field else getattr(thing, country)
        by_field[state] = of and of.states.filter(content=values[state]).first()
    return by_field


def _drop_person(user: User) -> list[str]:
    references = references_to(user, besides=(Step, Invitation))
    if user.last_login:
        references.append(gettext_noop("sign-ins"))
    if user.registration_events.exclude(kind=Step.Kind.PASSWORD_MAIL).exists():
        references.append(gettext_noop("registrations"))
    if references:
        User.objects.filter(pk=user.pk).update(is_active=False)
        end_sessions(user_id=user.pk)
        return references
    user.registration_events.all().delete()
    user.delete()
    return []


def _drop_company(company: Company, note: str) -> list[str]:
    references = references_to(company, besides=(CompanyEvent, BrandAccess))
    own = Q(kind=CompanyEvent.Kind.DEPOSIT) | Q(kind=CompanyEvent.Kind.NOTE, note=note)
    if company.events.exclude(own).exists():
        references.append(gettext_noop("notes"))
    if references:
        Company.objects.filter(pk=company.pk).update(is_open=False)
        end_company_sessions(company_id=company.pk)
        return references
    company.delete()
    return []


def _log(row: ImportRow, thing: Company | User, actor: User) -> None:
    """Write into the thing's history which import it was."""
    with in_english():
        text = Text("Import %(name)s", name=row.source.name).stored()
        LogEntry.objects.log_actions(actor.pk, [thing], CHANGE, text, single_object=True)


# What staff call models that they see as another.
STAFF_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("savedbasket", "listinhand"), gettext_noop("baskets")),
    **dict.fromkeys(("ordertally", "salestally", "orderline"), gettext_noop("orders")),
}


@in_english()
def references_to(thing: Model, *, besides: Collection[type[Model]] = ()) -> list[str]:
    """Return what names a thing, in words that are translated when they are read: every relation
    to it but those `besides`.
    """
    names = []
    for relation in thing._meta.related_objects:
        model = relation.related_model
        if model in besides or isinstance(model, str):
            continue
        if model._base_manager.filter(**{relation.field.name: thing}).exists():
            name = str(model._meta.verbose_name_plural)
            names.append(STAFF_WORDS.get(str(model._meta.model_name), name))
    return sorted(set(names))
