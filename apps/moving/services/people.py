"""A company and a person of an import, written and put back."""

from collections.abc import Collection, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.db.models import Model, Q
from django.utils.translation import gettext_noop
from django.utils.translation import gettext_noop as _

from apps.accounts.models import (
    AddressEntry,
    BusinessType,
    Company,
    CompanyEvent,
    Invitation,
    User,
)
from apps.accounts.models import RegistrationEvent as Step
from apps.accounts.services.companies import keep_company_note, set_deposit_share
from apps.accounts.services.sessions import end_company_sessions, end_sessions
from apps.catalog.models import Brand, BrandAccess, ImportRow
from apps.catalog.services.access import set_visible_brands
from apps.common.names import bare, bare_name
from apps.common.texts import Text, in_english

COMPANY_TEXTS = (
    *("tax_number", "short_name", "city", "address1", "address2", "zipcode", "phone"),
    "sales_channel",
)
PERSON_TEXTS = ("manager", "stock_free")
SHIP_TEXTS = ("ship_city", "ship_zipcode", "ship_address1", "ship_address2", "ship_phone")
BY_TERMS = ("deposit_rate", "brands")  # have services of their own
ALL_BRANDS = "all"


def values_of_company(company: Company) -> dict[str, Any]:
    """Return a company as the file has it."""
    brands = BrandAccess.objects.filter(company=company).values_list("brand__eng", flat=True)
    return {
        "company": company.name,
        **{name: getattr(company, name) for name in COMPANY_TEXTS},
        "country": company.country.content if company.country else "",
        "state": company.state.content if company.state else "",
        "business_type": company.business_type.type if company.business_type else "",
        "deposit_rate": str(company.deposit_rate) if company.deposit_rate is not None else "",
        "brands": "; ".join(sorted(brands)) if company.brands_restricted else ALL_BRANDS,
    }


def values_of_person(user: User) -> dict[str, Any]:
    """Return a person as the file has it."""
    return {
        "email": user.email,
        **{name: getattr(user, name) for name in (*PERSON_TEXTS, *SHIP_TEXTS)},
        "ship_country": user.ship_country.content if user.ship_country else "",
        "ship_state": user.ship_state.content if user.ship_state else "",
    }


def _adds_company(row: ImportRow) -> bool:
    return "company" in row.made.get("adds", ())


def is_changed(row: ImportRow, *, undo: bool) -> bool:
    """Return whether the company or a person of a row is not what it was before it, or with `undo`
    after it; all stay locked.
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


def _is_another(person: dict[str, Any], *, undo: bool) -> bool:
    if "adds" in person and not undo:
        return User.objects.filter(email=person["new"]["email"]).exists()
    user = User.objects.select_for_update().filter(pk=person["user"]).first()
    return user is None or _differs(values_of_person(user), person["new" if undo else "old"])


def _differs(now: dict[str, Any], before: dict[str, Any]) -> bool:
    return any(now[name] != value for name, value in before.items() if name in now)


def put(row: ImportRow, *, actor: User, now: datetime) -> None:
    """Write the company, then the people of a row; keep their ids in `made`.

    Raises:
        PortalError: a service refuses a term.
    """
    company = _put_company(row, row.new, actor=actor, now=now)
    for person in row.made.get("people", ()):
        _put_person(row, person, person["new"], company, actor=actor, now=now)


def _put_company(row: ImportRow, values: dict[str, Any], *, actor: User, now: datetime) -> Company:
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
    _put_terms(row, company, values, actor=actor, now=now)
    return company


def _put_terms(
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
        chosen = None if values["brands"] == ALL_BRANDS else list(brands)
        set_visible_brands(actor=actor, company_id=company.pk, brand_ids=chosen)


def _put_person(
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
            _ship_to_company(user, company)
    fields = {name: values[name] for name in (*PERSON_TEXTS, *SHIP_TEXTS) if name in values}
    fields |= _places(user, values, ("ship_country", "ship_state"))
    if user.pk and not fields:
        return
    for name, value in fields.items():
        setattr(user, name, value)
    user.save()
    person["user"] = user.pk
    _log(row, user, actor)


def _ship_to_company(user: User, company: Company) -> None:
    """Let a new person begin with the company's address as the one that goods go to."""
    for name in ("country", "state", "city", "zipcode", "address1", "address2", "phone"):
        setattr(user, f"ship_{name}", getattr(company, name))


def _places(
    thing: Company | User, values: dict[str, Any], names: tuple[str, str]
) -> dict[str, AddressEntry | None]:
    """Return the country and the state that are named; a state alone is of the thing's country."""
    entries = AddressEntry.objects.all()
    found: dict[str, AddressEntry | None] = {}
    country, state = names
    if country in values:
        found[country] = entries.filter(content=values[country], parent__isnull=True).first()
    if state in values:
        of = found[country] if country in found else getattr(thing, country)
        found[state] = of and of.states.filter(content=values[state]).first()
    return found


def put_back(row: ImportRow, *, actor: User, now: datetime) -> list[str]:
    """Put a row back; return what names the person or company that it added and that stays,
    closed.
    """
    named = []
    for person in row.made.get("people", ()):
        if "adds" in person:
            named += _drop_person(User.objects.select_for_update().get(pk=person.pop("user")))
        else:
            company = Company.objects.get(pk=row.made["company"])
            _put_person(row, person, person["old"], company, actor=actor, now=now)
    if _adds_company(row):
        company = Company.objects.select_for_update().get(pk=row.made["company"])
        named += _drop_company(company, row.made.get("note", ""))
    elif "company" in row.made:
        _put_company(row, row.old, actor=actor, now=now)
    return named


def _drop_person(user: User) -> list[str]:
    named = named_by(user, besides=(Step, Invitation))
    if user.last_login:
        named.append(gettext_noop("sign-ins"))
    if user.registration_events.exclude(kind=Step.Kind.PASSWORD_MAIL).exists():
        named.append(gettext_noop("registrations"))
    if named:
        User.objects.filter(pk=user.pk).update(is_active=False)
        end_sessions(user_id=user.pk)
        return named
    user.registration_events.all().delete()
    user.delete()
    return []


def _drop_company(company: Company, note: str) -> list[str]:
    named = named_by(company, besides=(CompanyEvent, BrandAccess))
    own = Q(kind=CompanyEvent.Kind.DEPOSIT) | Q(kind=CompanyEvent.Kind.NOTE, note=note)
    if company.events.exclude(own).exists():
        named.append(gettext_noop("notes"))
    if named:
        Company.objects.filter(pk=company.pk).update(is_open=False)
        end_company_sessions(company_id=company.pk)
        return named
    company.delete()
    return []


def _log(row: ImportRow, thing: Company | User, actor: User) -> None:
    """Write into the thing's history which import it was."""
    with in_english():
        text = Text("Import %(name)s", name=row.source.name).stored()
        LogEntry.objects.log_actions(actor.pk, [thing], CHANGE, text, single_object=True)


# What staff call models that they see as another.
SEEN_AS: Mapping[str, str] = {
    **dict.fromkeys(("savedbasket", "listinhand"), _("baskets")),
    **dict.fromkeys(("ordertally", "salestally", "orderline"), _("orders")),
}


@in_english()
def named_by(thing: Model, *, besides: Collection[type[Model]] = ()) -> list[str]:
    """Return what names a thing, in words that are translated when they are read: every relation
    to it but those `besides`.
    """
    found = []
    for relation in thing._meta.related_objects:
        model = relation.related_model
        if model in besides or isinstance(model, str):
            continue
        if model._base_manager.filter(**{relation.field.name: thing}).exists():
            name = str(model._meta.verbose_name_plural)
            found.append(SEEN_AS.get(str(model._meta.model_name), name))
    return sorted(set(found))
