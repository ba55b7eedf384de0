"""Reads of registrations for those who decide: which version a page shows, who was quicker, which
look like doubles.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import compress
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Length
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy

from apps.accounts.models import (
    PHONE_MARKS,
    Company,
    RegistrationEvent,
    User,
    email_domain,
    phone_digits,
)
from apps.common.names import bare, bare_name
from apps.common.promises import APPROVAL_WARNING, Promise, due_at, term_of
from apps.common.staff_lists import day_of
from apps.common.texts import phrase

MIN_PHONE_DIGITS = 7
MOST_DOUBLES = 500
NAME, PHONE, DOMAIN = "name", "phone", "domain"  # what may agree of two registrations
MAX_DOUBLES_NAMED = 4  # beside one registration; the others by their number
FREE_MAIL = frozenset(
    """
    126.com 163.com aol.com daum.net fastmail.com free.fr gmail.com gmx.at gmx.ch gmx.com gmx.de
    gmx.net googlemail.com hanmail.net hey.com hotmail.co.uk hotmail.com hotmail.de hotmail.es
    hotmail.fr hotmail.it icloud.com inbox.ru interia.pl kakao.com laposte.net libero.it list.ru
    live.co.uk live.com live.fr mac.com mail.com mail.ru me.com msn.com nate.com naver.com o2.pl
    onet.pl orange.fr outlook.com outlook.de outlook.es outlook.fr proton.me protonmail.com
    qq.com rambler.ru rocketmail.com seznam.cz sfr.fr sina.com t-online.de tiscali.it
    tutanota.com uol.com.br verizon.net virgilio.it wanadoo.fr web.de wp.pl yahoo.ca yahoo.co.jp
    yahoo.co.uk yahoo.com yahoo.com.br yahoo.de yahoo.es yahoo.fr yahoo.it yandex.com yandex.ru
    ymail.com zoho.com
    """.split()  # noqa: SIM905 - seventy names, read as a paragraph
)
Kind = RegistrationEvent.Kind
DECISIONS = {
    Kind.ASKED: gettext_lazy("%(who)s asked for more %(when)s. Look at it again before you go on."),
    **dict.fromkeys(
        (Kind.SENT, Kind.SENT_AGAIN),
        gettext_lazy(
            "The company sent the form again %(when)s. Look at it again before you go on."
        ),
    ),
    Kind.WITHDRAWN: gettext_lazy(
        "%(who)s withdrew the approval %(when)s. Look at it again before you go on."
    ),
}


def registration_version(user: User) -> str:
    """Return what changes whenever a registration is sent again, asked about or decided."""
    moments = (user.registered_at, user.asked_at, user.decided_at)
    return "|".join([user.approval, *(moment.isoformat() if moment else "" for moment in moments)])


def approval_over(*, since: datetime, now: datetime) -> str:
    """Return which limit a registration sent then has passed: `over 3 days`, or as a warning `over
    48 h`; or none.
    """
    if due_at(Promise.APPROVAL, since=since) <= now:
        return phrase("over %(term)s", term=term_of(Promise.APPROVAL))
    hours = APPROVAL_WARNING // timedelta(hours=1)
    return phrase("over %(hours)s h", hours=hours) if now - since >= APPROVAL_WARNING else ""


def at_words(moment: datetime, *, now: datetime) -> str:
    """Return a moment as a sentence ends with it: `at 14:02`, with the day where it is
    not today.
    """
    local = timezone.localtime(moment)
    at = {"day": f"{local:%Y-%m-%d}", "time": f"{local:%H:%M}"}
    is_today = local.date() == timezone.localtime(now).date()
    return (_("at %(time)s") if is_today else _("on %(day)s at %(time)s")) % at


def decision_text(user: User, *, now: datetime) -> str:
    """Return what somebody did to a registration last, who and when (`Approved by Jun-ho Lim at
    14:02.`).
    """
    if user.approval != User.Approval.PENDING:
        label = User.Approval(user.approval).label
        if user.decided_at is None:
            return f"{label}."
        values = {"label": label, "when": at_words(user.decided_at, now=now)}
        if user.decided_by is None:
            return _("%(label)s %(when)s.") % values
        return _("%(label)s by %(who)s %(when)s.") % {**values, "who": user.decided_by.manager}
    last = user.registration_events.filter(kind__in=list(DECISIONS)).select_related("actor").last()
    if last is None:
        return _("This registration was changed meanwhile.")
    who = last.actor.manager if last.actor else _("Somebody")
    return DECISIONS[Kind(last.kind)] % {"who": who, "when": at_words(last.at, now=now)}


@dataclass(frozen=True)
class Double:
    """Another company that may be the same one: what agrees with a registration, whose it is, what
    became of it.
    """

    company_id: int
    name: str
    agrees: tuple[str, ...]  # of NAME, PHONE, DOMAIN
    domain: str
    person: str
    state: str
    people: int

    @property
    def agreement(self) -> str:
        """Return what agrees, in words."""
        words = {
            NAME: _("the same name"),
            PHONE: _("the same phone number"),
            DOMAIN: phrase("the e-mail domain %(domain)s", domain=self.domain),
        }
        return _(" and ").join(words[what] for what in self.agrees)

    @property
    def distinction(self) -> str:
        """Return what tells it from others of the same name: `Moritz Hartwig, waits too`."""
        return ", ".join(part for part in (self.person, self.state) if part)


def digits_of(phone: str) -> str:
    """Return a telephone number without its marks; empty where too little is left to compare."""
    digits = "".join(char for char in phone if char not in PHONE_MARKS)
    return digits if len(digits) >= MIN_PHONE_DIGITS else ""


def domain_of(email: str) -> str:
    """Return the domain of an e-mail address; empty for those that anybody can get."""
    domain = email.rpartition("@")[2]
    return "" if domain in FREE_MAIL else domain


def with_doubles(users: QuerySet) -> QuerySet:
    """Return users with `is_double`: whether another company agrees in domain, name or telephone
    number.
    """
    own = {"own_domain": email_domain("email"), "own_name": bare_name("company__name")}
    own["own_phone"] = phone_digits("company__phone")
    others = Company.objects.exclude(pk=OuterRef("company_id")).order_by()
    people = (
        User.objects.filter(is_staff=False).exclude(company_id=OuterRef("company_id")).order_by()
    )
    same_name = others.alias(bare=bare_name("name")).filter(bare=OuterRef("own_name"))
    same_phone = others.alias(digits=phone_digits("phone")).filter(digits=OuterRef("own_phone"))
    same_domain = people.alias(domain=email_domain("email")).filter(domain=OuterRef("own_domain"))
    agrees = (
        Exists(same_name)
        | (Q(own_phone_length__gte=MIN_PHONE_DIGITS) & Exists(same_phone))
        | (~Q(own_domain__in=FREE_MAIL) & Exists(same_domain))
    )
    marked: QuerySet = (
        users.alias(**own).alias(own_phone_length=Length("own_phone")).annotate(is_double=agrees)
    )
    return marked


class _Candidate:
    """A company that may be somebody's double: what is compared of it, and what is said of it,
    found out once.
    """

    def __init__(self, company: Company, members: Sequence[User]) -> None:
        self.company, self.members = company, members
        self.name, self.phone = bare(company.name), digits_of(company.phone)
        self.domains = {domain_of(member.email) for member in members}

    @cached_property
    def summary(self) -> tuple[str, str, int]:
        """Return who stands for the company, what became of it, and how many of its people were let
        in.
        """
        approved = [member for member in self.members if member.approval == User.Approval.APPROVED]
        state = _state_of(self.members, approved) if self.company.is_open else _("closed")
        person = (approved or [*self.members])[0].manager if self.members else ""
        return person, state, len(approved)


def doubles(users: Sequence[User]) -> dict[int, list[Double]]:
    """Return, by user, the companies that may be doubles of theirs, those that agree in most and
    have most users first.

    Two statements however many users there are.
    """
    own = [user.company for user in users if user.company]
    names = {bare(company.name) for company in own}
    phones = {digits_of(company.phone) for company in own} - {""}
    companies = Company.objects.alias(bare=bare_name("name"), digits=phone_digits("phone"))
    alike = companies.filter(Q(bare__in=names) | Q(digits__in=phones)).order_by("bare")
    companies_by_id = {company.pk: company for company in alike[:MOST_DOUBLES]}
    members_of: dict[int, list[User]] = {key: [] for key in companies_by_id}
    domains = {domain_of(user.email) for user in users} - {""}
    buyers = User.objects.filter(is_staff=False).alias(domain=email_domain("email"))
    members = buyers.filter(Q(domain__in=domains) | Q(company_id__in=list(companies_by_id)))
    members = members.select_related("company").order_by("company__name", "id")
    for member in members[:MOST_DOUBLES]:
        members_of.setdefault(member.company_id or 0, []).append(member)
        companies_by_id[member.company_id or 0] = member.company  # type: ignore[assignment]
    candidates = [_Candidate(company, members_of[key]) for key, company in companies_by_id.items()]
    return {user.pk: _doubles_of(user, candidates) for user in users}


def _doubles_of(user: User, candidates: Sequence[_Candidate]) -> list[Double]:
    own: Any = user.company
    name, phone, domain = bare(own.name), digits_of(own.phone), domain_of(user.email)
    others = []
    for other in candidates:
        companies = (
            name == other.name,
            phone == other.phone != "",
            domain in other.domains and domain != "",
        )
        if any(companies) and other.company.pk != user.company_id:
            agrees = tuple(compress((NAME, PHONE, DOMAIN), companies))
            others.append(
                Double(other.company.pk, other.company.name, agrees, domain, *other.summary)
            )
    return sorted(others, key=lambda double: (-len(double.agrees), -double.people, double.name))


def _state_of(members: Sequence[User], approved: Sequence[User]) -> str:
    if approved:
        since = min((member.decided_at for member in approved if member.decided_at), default=None)
        if since is None:
            return _("approved")
        return phrase("approved %(day)s", day=day_of(since))
    if any(member.approval == User.Approval.PENDING for member in members):
        return _("waits too")
    return _("rejected") if members else _("no users")
