"""A product's pictures on staff's pages: seen, added, replaced, put in order and taken off."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.text import format_lazy
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_POST

from apps.catalog.models import Product
from apps.catalog.services import pictures
from apps.common.errors import PortalError
from apps.common.staff import page_of, run_action, staff_page, trail_to
from apps.common.storage.files import download, unavailable
from apps.common.storage.private import open_private
from apps.common.storage.uploads import CheckedFile
from apps.common.texts import Text, phrase

MAX_MB = pictures.MAX_PICTURE_BYTES // 1024 // 1024


def picture_url(product: Product, size: int) -> str:
    """Return the address of a product's first picture, so many pixels wide; nothing where it has
    none.
    """
    return image_url(product.image, size) if product.image else ""


def image_url(name: str, size: int) -> str:
    """Return the address of a picture, so many pixels wide."""
    return f"{settings.IMAGE_HOST}/{size}/{name}"


class PictureForm(forms.Form):
    """The picture that a product gets."""

    picture = forms.FileField(
        label=gettext_lazy("Picture"),
        help_text=format_lazy(
            gettext_lazy(
                "JPEG, PNG or WebP, at most {size} MB, best square, from 1,000 px; smaller ones "
                "are made from it."
            ),
            size=MAX_MB,
        ),
        widget=forms.FileInput({"accept": ".jpg,.jpeg,.png,.webp"}),
    )

    def clean_picture(self) -> CheckedFile:
        """Return the picture as it may be stored.

        Raises:
            ValidationError: too large, or none that can be shown.
        """
        file = self.cleaned_data["picture"]
        if file.size > pictures.MAX_PICTURE_BYTES:
            raise ValidationError(phrase("This file is larger than %(size)s MB.", size=MAX_MB))
        try:
            return pictures.check_picture(file.read(), given_name=file.name)
        except (pictures.PictureRefused, PortalError) as error:
            raise ValidationError(str(error)) from error


def picture(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a product one more picture, or another one instead of the one that the address names."""
    product, instead_of = get_object_or_404(Product, pk=pk), request.GET.get("instead", "")
    if instead_of:
        verb, note = _("Replace the picture"), Text("Picture replaced")
        title = _("Replace a picture of %(sku)s")
    else:
        verb, note = _("Add a picture"), Text("Picture added")
        title = _("Add a picture to %(sku)s")
    form = PictureForm(request.POST or None, request.FILES or None)
    if form.is_valid() and run_action(
        request,
        product,
        note,
        pictures.put_picture,
        outward=True,
        is_dated=False,
        product_id=pk,
        instead_of=instead_of,
        **form.cleaned_data,
    ):
        return redirect(page_of(product))
    return staff_page(
        request,
        "staff/form.html",
        title=title % {"sku": product.sku},
        subtitle=product.eng_name,
        trail=trail_to(product, product.sku),
        here=_("Picture"),
        form=form,
        verb=verb,
    )


@require_POST
def picture_off(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a picture off a product."""
    name = request.POST.get("picture", "")
    note = Text("Picture taken off, %(picture)s", picture=name)
    return _change(request, pk, note, pictures.take_picture_off)


@require_POST
def picture_moved(request: HttpRequest, pk: int) -> HttpResponse:
    """Put a picture one place nearer to the first."""
    note = Text("Pictures put in another order")
    return _change(request, pk, note, pictures.move_picture, by=-1)


def _change(request: HttpRequest, pk: int, note: Text, service: Any, **fields: Any) -> HttpResponse:
    product, name = get_object_or_404(Product, pk=pk), request.POST.get("picture", "")
    run_action(request, product, note, service, is_dated=False, product_id=pk, name=name, **fields)
    return redirect(page_of(product))


def picture_original(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Answer the original of a picture as a file to keep.

    Raises:
        Http404: the product does not have the picture, or its original was never kept.
    """
    product, name = get_object_or_404(Product, pk=pk), request.GET.get("picture", "")
    try:
        file = pictures.original_of(name) if name in product.images else None
        if file is None:
            raise Http404
        path, kind = file
        return download(
            open_private(path),
            title=path.rpartition("/")[2],
            storage_name=path,
            content_type=kind.content_type,
        )
    except (OSError, PortalError):
        return unavailable()
