"""The form of a notice: its parts as the page shows them, and back into what the service takes."""

from typing import Any

from django import forms
from django.apps import apps
from django.contrib.admin import site
from django.contrib.admin.widgets import AutocompleteSelectMultiple
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from apps.common.errors import PortalError
from apps.common.staff_fields import moment
from apps.notices.models import Notice, NoticeAudience
from apps.notices.selectors import EVERYBODY, Audience, audience_of

Kind = NoticeAudience.Kind
ALL = "everybody"
AUDIENCES = (
    (ALL, _("Everybody")),
    (Kind.COUNTRY, _("Some countries")),
    (Kind.COMPANY, _("Some companies")),
    (Kind.BRAND, _("Buyers of some brands")),
)
# Which foreign key's autocomplete offers the rows of a kind; named, because notices do not import
# their apps.
OFFERED_BY = {
    Kind.COUNTRY: ("accounts", "company", "country"),
    Kind.COMPANY: ("accounts", "user", "company"),
    Kind.BRAND: ("catalog", "BrandAccess", "brand"),
}
MAX_FILE_BYTES = 20 * 1024 * 1024
MOMENTS = ("published_at", "popup_from", "popup_until")
OWN = ("title", "content", *MOMENTS)


class FilesInput(forms.ClearableFileInput):
    """A chooser of several files."""

    allow_multiple_selected = True
    template_name = "django/forms/widgets/file.html"


class FilesField(forms.FileField):
    """Several files at once; too large ones are refused before anything is stored."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        """Return the files."""
        files = [super(FilesField, self).clean(file, initial) for file in data or ()]
        for file in files:
            if file.size > MAX_FILE_BYTES:
                text = _("%(file)s is larger than 20 MB.")
                raise forms.ValidationError(text, params={"file": file.name})
        return files


class NoticeForm(forms.Form):
    """Everything of a notice on one page."""

    version = forms.IntegerField(required=False, widget=forms.HiddenInput)
    title = forms.CharField(
        label=_("Title"), max_length=200, error_messages={"required": _("Write a title.")}
    )
    content = forms.CharField(
        label=pgettext_lazy("notice", "Text"),
        max_length=100_000,
        widget=forms.Textarea({"rows": 14}),
        error_messages={"required": _("Write the text.")},
    )
    remove = forms.TypedMultipleChoiceField(
        required=False, coerce=int, widget=forms.CheckboxSelectMultiple
    )
    added = FilesField(label=_("Attachments"), required=False)
    published_at = moment(pgettext_lazy("moment", "From"), seconds=False)
    pops_up = forms.BooleanField(label=_("Popup on the dashboard"), required=False)
    popup_from = moment(_("Popup, from"))
    popup_until = moment(_("Popup, until"))
    audience = forms.ChoiceField(
        label=_("Audience"),
        choices=AUDIENCES,
        widget=forms.RadioSelect,
        error_messages={"required": _("Who is it for?")},
    )

    def __init__(
        self, notice: Notice | None, data: QueryDict | None = None, files: Any = None
    ) -> None:
        self.notice = notice
        self.sent = dict(data.lists()) if data is not None else {}
        super().__init__(data, files, initial=_initial(notice))
        for kind in OFFERED_BY:
            app, model, name = OFFERED_BY[kind]
            offering: Any = apps.get_model(app, model)._meta.get_field(name)
            label = dict(AUDIENCES)[kind]
            choices = offering.remote_field.model._default_manager.all()
            if kind == Kind.COUNTRY:
                choices = choices.filter(parent__isnull=True)
            field = forms.ModelMultipleChoiceField(
                choices,
                required=False,
                label=label,
                widget=AutocompleteSelectMultiple(
                    offering, site, attrs={"aria-label": label, "data-placeholder": _("Add…")}
                ),
            )
            # No cross that clears all: in the list of chips it would look like one of them.
            field.widget.is_required = True
            self.fields[kind.value] = field
        remove: Any = self.fields["remove"]
        remove.choices = [(file.pk, file.title) for file in notice.files.all()] if notice else []
        for name in (*OWN, "audience", "added"):
            self.fields[name].widget.attrs["aria-describedby"] = f"id_{name}_help id_{name}_error"

    def clean(self) -> None:
        """Refuse half a pop-up window; without its tick there is none."""
        super().clean()
        fields = self.cleaned_data
        if not fields.get("pops_up"):
            for name in ("popup_from", "popup_until"):
                fields[name] = None
                self.errors.pop(name, None)
            return
        for name, text in (
            ("popup_from", _("Enter a start.")),
            ("popup_until", _("Enter an end.")),
        ):
            if fields.get(name) is None and name not in self.errors:
                self.add_error(name, text)

    @property
    def selected_audience(self) -> Audience:
        """Return the audience that is chosen, as far as it can be read; for a new page, the
        notice's own.
        """
        if not self.is_bound:
            return audience_of(self.notice) if self.notice else Audience()
        fields: dict[str, Any] = getattr(self, "cleaned_data", {})
        kind = fields.get("audience", ALL)
        if kind == ALL:
            return Audience()
        return Audience(kind, frozenset(row.pk for row in fields.get(kind) or ()))

    def refuse(self, error: PortalError) -> None:
        """Set a refusal at its field."""
        errors = error.errors or {}
        if not errors:
            self.add_error(None, str(error))
        for name, texts in errors.items():
            self.add_error(name if name in self.fields else None, list(texts))

    def renew(self, notice: Notice | None) -> None:
        """Let what is sent next be meant for the notice as it is now."""
        self.notice = notice
        if notice is not None:
            self.data = MultiValueDict({**self.sent, "version": [str(notice.version)]})


def _initial(notice: Notice | None) -> dict[str, Any]:
    if notice is None:
        return {"audience": ALL}
    audience = audience_of(notice)
    fields: dict[str, Any] = {name: getattr(notice, name) for name in ("version", *OWN)}
    fields |= {"pops_up": notice.popup_from is not None, "audience": audience.kind or ALL}
    if audience.kind != EVERYBODY:
        fields[audience.kind] = sorted(audience.ids)
    return fields
