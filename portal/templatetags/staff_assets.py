"""Scripts and styles of the staff's pages: `{% staff_assets "packing" %}` loads
frontend/staff/pages/packing.ts.
"""

from typing import Any

from django import template
from django.utils.translation import gettext

from portal.web.build import NOT_BUILT, STAFF, NotBuilt, current_build

register = template.Library()
EVERY_PAGE = "staff"
FONT = "geist-latin-wght-normal.woff2"


@register.inclusion_tag("staff/assets.html")
def staff_assets(name: str) -> dict[str, Any]:
    """Return what a page loads; nothing where the front end is not built, for the pages work
    without scripts.
    """
    try:
        build = current_build(STAFF)
        files = build.files(f"staff/pages/{name}.ts")
    except NotBuilt:
        return {}
    return {"files": files, "fonts": build.assets((FONT,)) if name == EVERY_PAGE else []}


@register.simple_tag
def build_fault() -> str:
    """Return what is wrong where the staff's scripts and styles are not built; else nothing."""
    return "" if staff_assets(EVERY_PAGE) else gettext(NOT_BUILT)
