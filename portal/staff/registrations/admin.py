"""Registrations in admin: the queue, one registration with its decision, and its certificate."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _, gettext_lazy, pgettext

from apps.accounts.errors import RegistrationChanged
from apps.accounts.models import Certificate, Registration, User
from apps.accounts.registrations import doubles, registration_version
from apps.accounts.services.approval import DECIDE, approve, ask_for_more, reject
from apps.catalog.services.access import set_visible_brands
from apps.common.db.transactions import one_transaction
from apps.common.errors import PortalError
from apps.common.filters import once
from apps.common.staff import (
    Context,
    StaffAdmin,
    has_any_perm,
    list_of,
    log_action,
    refusal_text,
    staff_of,
)
from apps.common.staff_lists import PhoneRow, column, day_of, tag, two_lines
from apps.common.texts import Text, phrase
from portal.staff.registrations import filters
from portal.staff.registrations.form import APPROVE, ASK, DecisionForm
from portal.staff.registrations.page import (
    certificate_text,
    doubles_text,
    queue,
    registration_page,
    waiting_time,
)

HISTORY = {
    "approve": Text("Approved"),
    "ask": Text("More information requested"),
    "reject": Text("Rejected"),
}
MESSAGES = {
    "approve": gettext_lazy("%(company)s: approved. The mail to %(to)s is on its way."),
    "ask": gettext_lazy(
        "%(company)s: more information requested. The mail to %(to)s is on its way."
    ),
    "reject": gettext_lazy("%(company)s: rejected. The mail to %(to)s is on its way."),
}
Approval = User.Approval


@admin.register(Registration)
class RegistrationAdmin(StaffAdmin):
    """Who asks to buy: listed by how long they wait, decided one by one, each by a person."""

    is_record = True
    list_title = gettext_lazy("Registrations")
    list_display = (
        "company_name",
        "country",
        "business",
        "verified_email",
        "waits",
        "certificate",
        "hints",
    )
    phone_row = PhoneRow(right="waits", next="country", third="hints")
    list_filter = (
        filters.DecisionFilter,
        filters.AgeFilter,
        filters.HintFilter,
        filters.CountryFilter,
    )
    list_select_related = ("company__country", "company__business_type", "decided_by")
    search_fields = ("company__name", "manager", "email", "company__phone")
    names = ("company__name", "manager")
    search_help_text = gettext_lazy("Company, person, e-mail, phone")
    ordering = ("registered_at", "id")
    sortable_by = ("waits",)
    country = column("company__country", gettext_lazy("Country"), ordering=None)
    business = column("company__business_type", gettext_lazy("Business"), ordering=None)
    verified_email = column("email", gettext_lazy("E-mail (verified)"), ordering=None)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow whoever decides."""
        return has_any_perm(request, DECIDE)

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        """Return the buyers, each with the newest certificate and whether more was asked for."""
        newest = Prefetch(
            "certificates", Certificate.objects.order_by("-id"), to_attr="newest_certificates"
        )
        people: QuerySet = (
            super()
            .get_queryset(request)
            .filter(is_staff=False)
            .annotate(was_asked=filters.was_asked(), is_colleague=filters.is_colleague())
        )
        return people.prefetch_related(newest)

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """Return the oldest first; of the decided ones the newest."""
        decided = request.GET.get("decision") in (Approval.APPROVED, Approval.REJECTED, "all")
        return ("-registered_at", "-id") if decided else self.ordering

    def about_list(self, request: HttpRequest, listed: Any) -> Context:
        """Return how many are to decide; the doubles of a page's rows to decide are looked for in
        two statements.

        What is decided is looked at for doubles only where they are asked for.
        """
        listed.result_list = rows = list(listed.result_list)
        doubles_by_id = doubles(
            [row for row in rows if row.approval == Approval.PENDING or "hint" in request.GET]
        )
        for row in rows:
            row.doubles = doubles_by_id.get(row.pk, [])
        counts = once(request, filters.Figures).counts
        return {
            "subtitle": phrase(
                "%(count)s to decide, oldest first · promised to buyers: 2 to 3 days",
                count=counts["all"],
            ),
            "empty_text": "" if request.GET else _("Nobody is waiting."),
            "asked_count": counts["decision_asked"],
        }

    @admin.display(description=gettext_lazy("Company"))
    def company_name(self, user: Any) -> str:
        """Return the company and the person."""
        return two_lines(user.company.name, user.manager)

    @admin.display(description=gettext_lazy("Waits, sent"), ordering="registered_at")
    def waits(self, user: Any) -> str:
        """Return for how long it has waited, or what became of it, and when it was sent."""
        registered = timezone.localtime(user.registered_at or user.created_at)
        if user.approval != Approval.PENDING:
            who = user.decided_by.manager if user.decided_by else ""
            at = day_of(user.decided_at) if user.decided_at else ""
            label = " ".join(part for part in (str(Approval(user.approval).label), at) if part)
            return two_lines(label, who)
        if user.asked_at is not None:
            day = f"{timezone.localtime(user.asked_at):%m-%d %H:%M}"
            sent_at = phrase("sent %(at)s", at=f"{registered:%m-%d %H:%M}")
            return two_lines(phrase("Asked %(at)s", at=day), sent_at)
        age, over = waiting_time(user, now=timezone.now())
        text = format_html('<b class="late">{}, {}</b>', age, over) if over else age
        return two_lines(text, f"{registered:%m-%d %H:%M}")

    @admin.display(description=gettext_lazy("Certificate"))
    def certificate(self, user: Any) -> str:
        """Return the kind and size of the certificate."""
        newest = user.newest_certificates
        return format_html(
            '<span class="hint">{}</span>', certificate_text(newest[0]) if newest else "–"
        )

    @admin.display(description=gettext_lazy("Hints"), empty_value="")
    def hints(self, user: Any) -> str:
        """Return what an approver should know before opening it."""
        tags = []
        if user.was_asked and user.approval == Approval.PENDING and user.asked_at is None:
            at = f"{timezone.localtime(user.registered_at):%m-%d}"
            answered = pgettext("registration", "Answered %(day)s") % {"day": at}
            tags.append(tag(answered, "accent"))
        if user.is_colleague:  # of the company itself: no double
            tags.append(tag(_("Colleague"), "info"))
        elif user.doubles:
            tags.append(tag(doubles_text(user.doubles), "warn"))
        return format_html_join(" ", "{}", ((tag,) for tag in tags))

    def own_page(self, request: HttpRequest, obj: Any) -> HttpResponse:
        """Show a registration, or take the decision about it."""
        if request.method != "POST":
            return self.show(request, obj, self.form_for(obj))
        if "template" in request.POST:
            return self.show(request, obj, self.with_template(obj, request.POST))
        form = self.form_for(obj, request.POST)
        if not form.is_valid():
            return self.show(request, obj, form, status=422)
        return self.decide(request, obj, form)

    def form_for(self, user: Any, data: Any = None) -> DecisionForm:
        """Return the form of a registration as it is now."""
        return DecisionForm(
            data, user=user, doubles=doubles([user])[user.pk], seen=registration_version(user)
        )

    def with_template(self, user: Any, data: Any) -> DecisionForm:
        """Return the form as it was sent, with the mail's template put back."""
        filled, decision = data.copy(), data["template"]
        for name in (f"subject_{decision}", f"body_{decision}"):
            field = self.form_for(user).fields.get(name)
            if field is not None:
                filled[name] = field.initial
        return self.form_for(user, filled)

    def decide(self, request: HttpRequest, user: Any, form: DecisionForm) -> HttpResponse:
        """Take the decision; a registration that changed meanwhile is shown as it is now, nothing
        sent.
        """
        decision, company, actor = form.cleaned_data["decision"], str(user), staff_of(request)
        common = {"actor": actor, "user_id": user.pk, "seen": form.cleaned_data["seen"]}
        common |= {**form.mail(), "now": timezone.now()}

        @one_transaction
        def decided() -> None:
            if decision == APPROVE:
                joins, stock_free = form.company_id, form.cleaned_data["stock_free"]
                own = approve(company_id=joins, stock_free=stock_free, **common).company_id
                if joins is None and own:  # a company that the person joins keeps its brands
                    set_visible_brands(actor=actor, company_id=own, brand_ids=form.brand_ids)
            else:
                (ask_for_more if decision == ASK else reject)(**common)
            log_action(request, user, HISTORY[decision])

        try:
            decided()
        except RegistrationChanged as changed:
            messages.warning(request, phrase("%(what)s Nothing was sent.", what=changed))
            fresh = (
                self.get_queryset(request).select_related("company", "decided_by").get(pk=user.pk)
            )
            data = request.POST.copy()
            data["seen"] = registration_version(fresh)
            return self.show(request, fresh, self.form_for(fresh, data), status=409)
        except PortalError as error:
            _refuse(form, decision, error)
            return self.show(request, user, form, status=422)
        messages.success(request, MESSAGES[decision] % {"company": company, "to": user.email})
        following = queue().first() if "next" in request.POST else None
        if following is not None:
            return redirect("admin:accounts_registration_change", following)
        return redirect("admin:accounts_registration_changelist")

    def show(
        self, request: HttpRequest, user: Any, form: DecisionForm, status: int = 200
    ) -> HttpResponse:
        """Return the page of a registration."""
        return self.page(
            request,
            "admin/accounts/registration/change_form.html",
            status=status,
            title=str(user),
            trail=[list_of(Registration)],
            form=form,
            **registration_page(user, staff=staff_of(request), now=timezone.now()),
        )


def _refuse(form: DecisionForm, decision: str, error: PortalError) -> None:
    """Set a refusal at the fields of the decision."""
    for name, texts in (error.errors or {}).items():
        field = {"brands": "brand_list"}.get(name, f"{name}_{decision}")
        form.add_error(field if field in form.fields else None, list(texts))
    if not error.errors:
        form.add_error(None, refusal_text(error))
