"""The first day: what an empty portal still needs, on the owner's home page until it is there."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from smtplib import SMTPException, SMTPResponseException
from types import SimpleNamespace
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.mail import EmailMessage, get_connection
from django.db import DatabaseError
from django.db.models import Exists, F, Func, IntegerField, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext
from django.views.decorators.http import require_POST
from django_otp.plugins.otp_totp.models import TOTPDevice
from post_office.models import STATUS, Email
from post_office.settings import get_backend

from apps.accounts.models import User
from apps.accounts.selectors import uninvited
from apps.catalog.kinds.products import MAY_NOT
from apps.catalog.models import Import, Product, Stock
from apps.common.db.transactions import one_transaction
from apps.common.http.throttles import MINUTE, Limit
from apps.common.models import Seller
from apps.common.permissions import needs
from apps.common.policy import is_published
from apps.common.seller import Current, seller, touch_seller
from apps.common.staff import run_action, staff_of
from apps.common.staff_lists import figure_text
from apps.common.texts import phrase
from apps.common.types import Label
from apps.orders.models import Order

CHANGE = "common.change_seller"


class MailLimit(Limit):
    """Test mails: five a minute for each member of staff."""

    name, uses, seconds = "test-mail", 5, MINUTE


@dataclass(frozen=True)
class Step:
    """A line of the checklist: what it is for, how far it is, where it is done or dismissed."""

    name: str
    hint: str
    state: str
    is_done: bool
    verb: str
    url: str
    is_sent: bool = False  # by a press, not by a page
    dismiss: str = ""
    instead: tuple[Label, str] = ("", "")  # words and page of another way


def first_day(user: User) -> list[Step]:
    """Return the checklist for who may change the settings; nothing once it was put away, which it
    is when all is done. One statement at most until then.
    """
    if not seller().row.first_day or not user.has_perm(CHANGE):
        return []
    steps = _steps(_counts(user), seller())
    if not all(step.is_done for step in steps):
        return steps
    with suppress(DatabaseError):  # it only reads just now
        keep(actor=user, first_day=False)
    return []


def _counts(user: User) -> SimpleNamespace:
    """Return how much of each thing the portal has; of mails sent, orders requested here, imports
    of orders or balances and who may order beyond stock only whether there is one. One statement.
    """
    staff = User.objects.filter(is_staff=True, is_active=True)
    counted: dict[str, QuerySet[Any]] = {
        "mails_failed": Email.objects.filter(status=STATUS.failed),
        "products": Product.objects.all(),
        "pictured": Product.objects.exclude(image=""),
        "stocked": Stock.objects.filter(on_hand__gt=0),
        "buyers": User.objects.who_may_come_in(),
        "uninvited": uninvited(),
        "staff": staff,
        "staff_with_app": TOTPDevice.objects.filter(confirmed=True, user__in=staff),
    }
    number = Func(F("pk"), function="COUNT", output_field=IntegerField())
    figures: dict[str, Exists | Subquery] = {
        "beyond": Exists(User.objects.who_may_come_in().filter(stock_free=True)),
        "mails": Exists(Email.objects.filter(status=STATUS.sent)),
        "orders": Exists(Order.objects.filter(former_number="")),
        "brought": Exists(
            Import.objects.filter(kind__in=("orders", "balances"), state=Import.State.APPLIED)
        ),
    } | {name: Subquery(rows.order_by().values(n=number)) for name, rows in counted.items()}
    row = User.objects.filter(pk=user.pk).values_list(*figures.values()).get()
    return SimpleNamespace(**dict(zip(figures, row, strict=True)))


def _steps(have: SimpleNamespace, shop: Current) -> list[Step]:
    page, imports = reverse("admin:settings"), reverse("admin:catalog_import_send")
    is_dismissed = shop.row.nothing_to_bring and not have.brought
    return [
        *_of_the_seller(shop, page),
        Step(
            _("Test mail"),
            _("One press sends a mail to your own address."),
            phrase("%(count)s failed", count=have.mails_failed)
            if have.mails_failed and not have.mails
            else (_("Mail goes out") if have.mails else _("None sent yet")),
            have.mails,
            _("Send test mail"),
            reverse("admin:test_mail"),
            is_sent=True,
        ),
        Step(
            _("Products"),
            _("Your own table with brands, prices and weights; headings in Korean or English."),
            figure_text(have.products) if have.products else _("None yet"),
            have.products > 0,
            _("Import"),
            f"{imports}?kind=table",
        ),
        Step(
            _("Pictures"),
            _("Files named by SKU, many at once or as a ZIP."),
            phrase("%(count)s without a picture", count=figure_text(have.products - have.pictured))
            if have.products
            else _("None yet"),
            have.products == have.pictured > 0,
            _("Import"),
            f"{imports}?kind=pictures",
        ),
        _stock(have, imports),
        _first_customer(have, imports),
        Step(
            _("Open orders and balances"),
            _("Your own tables of orders under way and of what you owe customers."),
            _("Imported")
            if have.brought
            else (_("None to bring") if is_dismissed else _("None yet")),
            have.brought or is_dismissed,
            _("Import"),
            f"{imports}?kind=orders",
            dismiss="" if have.brought or is_dismissed else reverse("admin:nothing_to_bring"),
        ),
        Step(
            _("Test order"),
            _("Add yourself as a buyer at a second address, place an order, then cancel it here."),
            _("Orders come in") if have.orders else _("None yet"),
            have.orders,
            _("Open the shop"),
            settings.SITE_URL,
        ),
        _colleagues(have),
    ]


def _stock(have: SimpleNamespace, imports: str) -> Step:
    state = _("None yet")
    if have.products:
        state = _("%(count)s of %(all)s products in stock")
        state %= {"count": figure_text(have.stocked), "all": figure_text(have.products)}
    if have.beyond and not have.stocked:
        state = _("Ordered beyond stock")
    people = reverse("admin:accounts_user_changelist") + MAY_NOT
    return Step(
        _("Stock"),
        _(
            "The pieces on the shelf, as a column of the same table: a product without is sold "
            "out. If you make to order, let people order beyond stock."
        ),
        state,
        have.stocked > 0 or have.beyond,
        _("Import"),
        f"{imports}?kind=table",
        instead=(_("May order beyond stock"), people),
    )


def _first_customer(have: SimpleNamespace, imports: str) -> Step:
    name, hint = (
        _("First customer"),
        _("Your own table of companies and their people; then invite them."),
    )
    if not have.buyers:
        return Step(name, hint, _("None yet"), False, _("Import"), f"{imports}?kind=people")
    people = reverse("admin:accounts_user_changelist") + "?invitation=none"
    state = phrase("%(count)s not invited yet", count=figure_text(have.uninvited))
    if not have.uninvited:
        state = ngettext("%(count)s buyer may sign in", "%(count)s buyers may sign in", have.buyers)
        state %= {"count": figure_text(have.buyers)}
    return Step(name, hint, state, not have.uninvited, _("Invite"), people)


def _of_the_seller(shop: Current, page: str) -> list[Step]:
    missing = shop.missing
    return [
        Step(
            _("Seller"),
            _("Name, mailboxes and address stand on each page, mail and paper."),
            phrase("%(count)s of %(all)s missing", count=missing, all=4)
            if missing
            else pgettext("settings", "Complete"),
            not missing,
            _("Open settings"),
            page,
        ),
        Step(
            _("Bank account"),
            _("Buyers wire to it what is due."),
            _("Set") if shop.banks else _("None yet"),
            bool(shop.banks),
            _("Open settings"),
            f"{page}#banks",
        ),
        Step(
            _("Policy and terms"),
            _("Each buyer accepts them. The portal's own has another seller's rules: read it."),
            _("Set") if is_published() else _("The portal's own"),
            is_published(),
            _("Read and publish"),
            reverse("admin:common_policy_changelist"),
        ),
        *_ways_to_pay(shop, page),
    ]


def _ways_to_pay(shop: Current, page: str) -> list[Step]:
    if not settings.PAYPAL_CLIENT_ID:
        return []  # nothing to decide
    is_decided = shop.version > 0  # the settings, where its tick stands, were saved
    ways = _("Wire and PayPal") if shop.paypal_on else _("Wire")
    return [
        Step(
            _("Ways to pay"),
            _("By wire always; online too, where you have an account for it."),
            ways if is_decided else _("Not decided yet"),
            is_decided,
            _("Open settings"),
            f"{page}#money",
        )
    ]


def _colleagues(have: SimpleNamespace) -> Step:
    without = have.staff - have.staff_with_app if settings.STAFF_SECOND_FACTOR else 0
    state = phrase("%(count)s with an account", count=have.staff)
    if without:
        state += ", " + phrase("%(count)s without a second factor", count=without)
    return Step(
        _("Colleagues"),
        _("Each has their own account."),
        state,
        have.staff > 1 and not without,
        _("Add user"),
        reverse("admin:accounts_user_add"),
    )


@needs(CHANGE)
@one_transaction
def keep(*, actor: User, **values: bool) -> None:
    """Keep what the owner says of the checklist: whether it is shown, that nothing is brought."""
    Seller.objects.update_or_create(defaults=values)
    touch_seller()


def _page(text: Label, **values: Any) -> Callable[[HttpRequest], HttpResponse]:
    """Return the page that keeps something of the checklist, and says so."""

    @require_POST
    def page(request: HttpRequest) -> HttpResponse:
        shop = Seller(title=seller().title)
        run_action(request, shop, text, keep, is_dated=False, **values)
        return redirect("admin:index")

    return page


put_away_page = _page(gettext_lazy("checklist hidden; the settings bring it back"), first_day=False)
bring_nothing_page = _page(
    gettext_lazy("no open orders or balances to bring"), nothing_to_bring=True
)


@require_POST
def test_mail_page(request: HttpRequest) -> HttpResponse:
    """Send the reader a mail now, past the queue, and say what became of it."""
    staff = staff_of(request)
    MailLimit().check(str(staff.uuid))
    subject = phrase("Test mail of %(title)s", title=seller().title)
    body = _("This mail arrived, so mails to customers and colleagues will, too.")
    message = EmailMessage(subject, body, settings.DEFAULT_FROM_EMAIL, [staff.email])
    message.connection = get_connection(get_backend())
    try:
        message.send()
    except OSError as error:  # of smtplib, too
        messages.error(request, _why_not_sent(error))
    else:
        Email.objects.create(
            from_email=message.from_email,
            to=message.to,
            subject=subject,
            message=body,
            status=STATUS.sent,
        )
        answer = phrase(
            "%(host)s took the mail to %(to)s. Check whether it arrived.",
            host=settings.EMAIL_HOST,
            to=staff.email,
        )
        if not settings.EMAIL_HOST:
            folder = format_html('<code translate="no">{}</code>', settings.MAIL_FOLDER)
            text = _("No mail server is set: the mail is a file in {folder}.")
            answer = format_html(text, folder=folder)
        messages.success(request, answer)
    return redirect("admin:index")


def _why_not_sent(error: OSError) -> str:
    server = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    why = str(error)
    if isinstance(error, SMTPResponseException):
        reply: str | bytes = error.smtp_error
        answer = reply if isinstance(reply, str) else reply.decode(errors="replace")
        why = f"{error.smtp_code} {answer}"
    if isinstance(error, SMTPException):
        return phrase("%(server)s refused the mail: %(why)s", server=server, why=why)
    return phrase("The mail server %(server)s does not answer: %(why)s", server=server, why=why)
