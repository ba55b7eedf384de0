"""Types that every app uses."""

from typing import TYPE_CHECKING, Any

# What a call answers, or reads, as JSON: an object by its names.
Json = dict[str, Any]
# A text that is shown: of `gettext_lazy`, it is read in the language of the page.
if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as Label
else:
    Label = str

__all__ = ["Json", "Label"]
