"""A product's picture on staff's pages: seen, replaced and taken off."""

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from apps.catalog.models import Product
from apps.catalog.services import pictures
from apps.common.errors import PortalError
from apps.common.staff import run_action, staff_of, staff_page
from apps.common.storage.uploads import CheckedFile
from apps.common.texts import Text

MAX_MB = pictures.MAX_PICTURE_BYTES // 1024 // 1024


def picture_url(product: Product, size: int) -> str:
    """Return the address of a product's picture, so many pixels wide."""
    return f"{settings.IMAGE_HOST}/{size}/{product.image}"


class PictureForm(forms.Form):
    """The picture that a product gets."""

    picture = forms.FileField(
        label=gettext_lazy("Picture"),
        help_text=format_lazy(
            gettext_lazy(
                "JPEG, PNG or WebP, at most {size} MB, best square, from 600 px; 100 and 300 px "
                "are made from it."
            ),
            size=MAX_MB,
        ),
        widget=forms.FileInput(attrs={"accept": ".jpg,.jpeg,.png,.webp"}),
    )

    def clean_picture(self) -> CheckedFile:
        """Return the picture as it may be stored.

        Raises:
            ValidationError: too large, or none that can be shown.
        """
        sent = self.cleaned_data["picture"]
        if sent.size > pictures.MAX_PICTURE_BYTES:
            raise ValidationError(_("This file is larger than %(size)s MB.") % {"size": MAX_MB})
        try:
            return pictures.check_picture(sent.read(), given_name=sent.name)
        except (pictures.PictureRefused, PortalError) as error:
            raise ValidationError(str(error)) from error


def picture(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a product a picture, or another one."""
    product = get_object_or_404(Product, pk=pk)
    back = _page_of(pk)
    if product.image:
        verb, done = _("Replace the picture"), Text("Picture replaced")
        title = _("Replace the picture of %(sku)s")
    else:
        verb, done = _("Add a picture"), Text("Picture added")
        title = _("Add a picture to %(sku)s")
    form = PictureForm(request.POST or None, request.FILES or None)

    def service() -> None:
        pictures.replace_picture(
            product_id=pk, picture=form.cleaned_data["picture"], actor=staff_of(request)
        )

    if (
        request.method == "POST"
        and form.is_valid()
        and run_action(request, product, done, service, outward=True)
    ):
        return HttpResponseRedirect(back)
    return staff_page(
        request,
        "staff/form.html",
        title=title % {"sku": product.sku},
        subtitle=product.eng_name,
        trail=[(_("Products"), reverse("admin:catalog_product_changelist")), (product.sku, back)],
        here=_("Picture"),
        form=form,
        back=back,
        verb=verb,
    )


@require_POST
def picture_off(request: HttpRequest, pk: int) -> HttpResponse:
    """Leave a product without a picture."""
    product, actor = get_object_or_404(Product, pk=pk), staff_of(request)
    picture = product.image
    done = Text("Picture taken off, %(picture)s", picture=picture)
    run_action(
        request,
        product,
        done if picture else Text("Picture taken off"),
        lambda: pictures.take_picture_off(product_id=pk, actor=actor),
    )
    return HttpResponseRedirect(_page_of(pk))


def _page_of(pk: int) -> str:
    return reverse("admin:catalog_product_change", args=[pk])
