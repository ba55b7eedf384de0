"""What a member of staff sees of lists that hold things of every group, mails and staff actions;
each action is a security event.
"""

from collections.abc import Iterable
from typing import Any

from django.contrib.admin import site
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.db.models import CharField, Q, QuerySet
from django.db.models.functions import Cast
from django.db.models.signals import post_save
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import pgettext_lazy
from post_office.models import STATUS, Email

from apps.accounts.models import User
from apps.common.ids import id_in
from apps.common.logs import log_event
from apps.common.mail import REGISTRATIONS
from apps.common.staff import Context, StaffAdmin, page_of, staff_of
from apps.common.types import Label
from apps.orders.models import Order

MAIL_STATES = {
    STATUS.sent: (pgettext_lazy("mail", "Sent"), "ok"),
    STATUS.failed: (pgettext_lazy("mail", "Failed"), "bad"),
}
OF_REGISTRATIONS = Q(context__topic=REGISTRATIONS)


def mail_state(mail: Email) -> tuple[Label, str]:
    """Return how a mail fares, and the tone of its tag."""
    return MAIL_STATES.get(mail.status, (pgettext_lazy("mail", "Waiting"), "warn"))


def mails_for(user: User) -> QuerySet[Email]:
    """Return the mails that a member of staff may see and send again.

    Those of registrations and sign-ins are of who decides on registrations, all others of who views
    orders.
    """
    visible = Q(pk__in=())
    if user.has_perm("accounts.change_user"):
        visible |= OF_REGISTRATIONS
    if user.has_perm("orders.view_order"):
        visible |= ~OF_REGISTRATIONS
    mails: QuerySet[Email] = Email.objects.filter(visible)
    return mails


def mails_of_order(user: User, order: Order) -> QuerySet[Email]:
    """Return the mails about an order to the people of its company, the newest first."""
    people = User.objects.filter(company_id=order.company_id).values("email")
    mails = mails_for(user).filter(to__in=people, subject__endswith=f": {order.invoice_code}")
    return mails.order_by("-id")


def mail_rows(mails: Iterable[Email]) -> list[Context]:
    """Return mails as rows of a card: page, subject, to whom, when, and the word and tone of its
    state.
    """
    return [
        {
            "url": page_of(mail),
            "subject": mail.subject,
            "to": ", ".join(mail.to),
            "at": timezone.localtime(mail.created),
            "state": mail_state(mail),
        }
        for mail in mails
    ]


def actions_for(request: HttpRequest) -> QuerySet[LogEntry]:
    """Return the staff actions on what the member of staff who asks may open."""
    models = [
        model for model, admin in site._registry.items() if admin.has_view_permission(request)
    ]
    kinds = ContentType.objects.get_for_models(*models, for_concrete_models=False)
    mail = kinds.pop(Email, None)
    visible = Q(content_type__in=kinds.values())
    if mail is not None:
        ids = (
            mails_for(staff_of(request)).annotate(text_id=Cast("pk", CharField())).values("text_id")
        )
        visible |= Q(content_type=mail, object_id__in=ids)
    return LogEntry.objects.filter(visible)


class OwnRowsAdmin(StaffAdmin):
    """Rows of which each member of staff sees some: the others' pages are forbidden, as whole pages
    are.
    """

    is_record = True
    list_display_links: tuple[str, ...] | None = None

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        """Return a row, None where there is none.

        Raises:
            PermissionDenied: it is none of those that the member of staff sees.
        """
        record = super().get_object(request, object_id, from_field)
        if (
            record is None
            and (pk := id_in(object_id)) is not None
            and self.model._base_manager.filter(pk=pk).exists()
        ):
            raise PermissionDenied
        return record


def watch_actions() -> None:
    """Note every action that admin's history takes down one by one; an import's rows are in its own
    history.
    """
    post_save.connect(_note_action, sender=LogEntry)


def _note_action(instance: LogEntry, created: bool, **signal: Any) -> None:
    if created:
        kind = instance.content_type.model if instance.content_type else ""
        log_event(
            "admin_action",
            actor=instance.user_id,
            object=f"{kind}:{instance.object_id}",
            action=instance.action_flag,
        )
