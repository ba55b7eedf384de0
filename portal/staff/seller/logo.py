"""The seller's logo: checked as every picture that is uploaded, and kept as a small PNG."""

from io import BytesIO
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from PIL import Image

from apps.common.errors import PortalError
from apps.common.storage.files import JPEG, PNG, WEBP
from apps.common.storage.uploads import check_file

MAX_BYTES = 2 * 1024 * 1024
MOST = (640, 160)  # pixels, twice as sharp as headers and papers show it


class LogoField(forms.FileField):
    """A picture that becomes the logo; cleaned, its PNG."""

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Logo"),
            required=False,
            help_text=gettext_lazy("PNG, JPEG or WebP of at most 2 MB, in place of the name."),
            widget=forms.FileInput(attrs={"accept": ".png,.jpg,.jpeg,.webp"}),
        )

    def clean(self, data: Any, initial: Any = None) -> bytes | None:
        """Return the logo, no larger than it is shown; None where none was chosen.

        Raises:
            ValidationError: too large, or no picture.
        """
        file = super().clean(data, initial)
        if not file:
            return None
        if file.size > MAX_BYTES:
            raise ValidationError(_("This file is larger than %(size)s MB.") % {"size": 2})
        try:
            checked = check_file(file.read(), given_name=file.name, kinds=(PNG, JPEG, WEBP))
        except PortalError as error:
            raise ValidationError(_("This file is no picture that can be shown.")) from error
        return small(checked.content)


def small(content: bytes) -> bytes:
    """Return a picture as a PNG of at most MOST pixels."""
    picture = Image.open(BytesIO(content)).convert("RGBA")
    picture.thumbnail(MOST, Image.Resampling.LANCZOS)
    file = BytesIO()
    picture.save(file, "PNG", optimize=True)
    return file.getvalue()
