"""The configured accent for admin, as a stylesheet: Django's own `--accent` means something else
there.
"""

from functools import cache

from django.http import HttpRequest, HttpResponse

from apps.common.seller import seller
from portal.web.accent import DARK, LIGHT, fill, shades


@cache
def staff_stylesheet(configured: str) -> str:
    """Return the accent's custom properties for both modes in one rule; admin switches by
    `color-scheme`.
    """
    base = fill(configured)
    light, dark = shades(base.accent, LIGHT), shades(base.accent, DARK)
    values = {
        "brand": base.accent,
        "accent-hover": base.accent_hover,
        "on-accent": base.on_accent,
        "accent-soft": f"light-dark({light.accent_soft},{dark.accent_soft})",
        "accent-ink": f"light-dark({light.accent_ink},{dark.accent_ink})",
        "accent-graphic": f"light-dark({light.accent_graphic},{dark.accent_graphic})",
    }
    return ":root{" + "".join(f"--{name}:{value};" for name, value in values.items()) + "}\n"


def accent_css(request: HttpRequest) -> HttpResponse:
    """Answer the stylesheet."""
    return HttpResponse(staff_stylesheet(seller().accent), content_type="text/css; charset=utf-8")
