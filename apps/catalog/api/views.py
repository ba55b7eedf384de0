"""The product ordering calls."""

from datetime import datetime
from tempfile import TemporaryFile
from typing import IO, Any

from django.http import FileResponse, HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from apps.accounts.api.identity import BuyerRequest, own_uuid_or_404
from apps.accounts.selectors import Buyer
from apps.catalog import selectors
from apps.catalog.api import serializers as shapes
from apps.catalog.pricelist import FILE_NAME, price_list_file
from apps.common.http.api import PortalView, id_or_404
from apps.common.http.renderers import dumps, json_response, ok
from apps.common.http.schema import call, path_number
from apps.common.http.serializers import validate
from apps.common.storage.files import XLSX

PAGE_PARAMETERS = (
    OpenApiParameter("page", int, description="from 1"),
    OpenApiParameter("after", str, description="`next` of the page before"),
    OpenApiParameter(
        "search", str, description="every word must occur in name, SKU or brand, or be the EAN"
    ),
    OpenApiParameter(
        "sort", str, enum=["name", "price", "new"], description="else by brand and name"
    ),
    OpenApiParameter("in_stock", int, enum=[0, 1]),
    OpenApiParameter("on_sale", int, enum=[0, 1], description="1: tagged “On sale”"),
    OpenApiParameter("promotion", int, enum=[0, 1], description="1: in a running promotion"),
)


class BrandsView(PortalView):
    """The brand list."""

    @call("brands", answer=shapes.BrandList)
    def get(self, request: BuyerRequest, uuid: str) -> HttpResponse:
        """Answer the brands that the buyer sees, by name."""
        own_uuid_or_404(buyer=request.user, uuid=uuid)
        return ok(result=selectors.brand_list(buyer=request.user))


def _part_of(request: BuyerRequest, **always: bool) -> dict[str, Any]:
    """Return which part of a list is asked for; `always` is so whatever the address says.

    Raises:
        Invalid: a parameter is none of ours.
    """
    query = validate(shapes.PageQuery, request.GET.dict())
    return {name: query.pop(name) for name in ("page", "after")} | {
        "request": selectors.ProductListRequest(**{**query, **always})
    }


class ProductsView(PortalView):
    """The product list of a brand, or of all."""

    @call(
        "products",
        answer=shapes.ProductPage,
        refusals=(400,),
        parameters=[path_number("brand_id", "0: all"), *PAGE_PARAMETERS],
    )
    def get(self, request: BuyerRequest, uuid: str, brand_id: str) -> HttpResponse:
        """Answer a page of at most 50 products."""
        own_uuid_or_404(buyer=request.user, uuid=uuid)
        part = _part_of(request)
        page = selectors.product_page(
            buyer=request.user, brand_id=id_or_404(brand_id), now=timezone.now(), **part
        )
        return json_response(page)


class PromotionView(PortalView):
    """The products in a running promotion."""

    @call(
        "promotion_products",
        answer=shapes.ProductPage,
        refusals=(400,),
        parameters=[*PAGE_PARAMETERS],
    )
    def get(self, request: BuyerRequest, uuid: str) -> HttpResponse:
        """Answer a page of at most 50 products."""
        own_uuid_or_404(buyer=request.user, uuid=uuid)
        part = _part_of(request, promotion=True)
        return json_response(selectors.product_page(buyer=request.user, now=timezone.now(), **part))


class LikeView(PortalView):
    """What somebody may have meant whose search found nothing."""

    @call(
        "products_like",
        answer=shapes.LikeResult,
        refusals=(400,),
        parameters=[OpenApiParameter("search", str, description="as typed")],
    )
    def get(self, request: BuyerRequest, uuid: str) -> HttpResponse:
        """**+** Answer brands and products that are called almost so."""
        own_uuid_or_404(buyer=request.user, uuid=uuid)
        search = validate(shapes.LikeQuery, request.GET.dict())["search"]
        return json_response(
            selectors.products_like(buyer=request.user, search=search, now=timezone.now())
        )


class SuggestView(PortalView):
    """What is suggested while somebody types into the search."""

    @call(
        "products_suggested",
        answer=shapes.Suggestions,
        refusals=(400,),
        parameters=[
            OpenApiParameter("search", str, description="as typed so far, from 3 letters"),
        ],
    )
    def get(self, request: BuyerRequest, uuid: str) -> HttpResponse:
        """**+** Answer brands and products that have every word so far."""
        own_uuid_or_404(buyer=request.user, uuid=uuid)
        search = validate(shapes.LikeQuery, request.GET.dict())["search"]
        return json_response(selectors.suggestions(buyer=request.user, search=search))


class CartStockView(PortalView):
    """The check of a basket against stock and prices."""

    @call("cart_stock", request=shapes.CartStock, answer=shapes.CartStockResult)
    def post(self, request: BuyerRequest) -> HttpResponse:
        """Answer the basket's products; unknown SKUs are left out."""
        fields = self.validated(shapes.CartStock)
        own_uuid_or_404(buyer=request.user, uuid=fields["uuid"])
        lines = [(line["sku"], line["count"]) for line in fields["skuData"]]
        result = selectors.cart_stock(buyer=request.user, lines=lines, now=timezone.now())
        return ok(result=result)


class PriceListView(PortalView):
    """The price list, as rows or as a file."""

    @call(
        "price_list",
        answer=shapes.PriceList,
        parameters=[
            OpenApiParameter("format", str, description="xlsx: as the file"),
        ],
        other={(200, XLSX): OpenApiTypes.BINARY},
    )
    def get(self, request: BuyerRequest, uuid: str) -> HttpResponse | FileResponse:
        """Answer every product that the buyer sees."""
        own_uuid_or_404(buyer=request.user, uuid=uuid)
        now = timezone.now()
        if request.GET.get("format") == "xlsx":
            path = price_list_file(buyer=request.user, now=now)
            return FileResponse(
                path.open("rb"), as_attachment=True, filename=FILE_NAME, content_type=XLSX
            )
        return FileResponse(
            self.as_temporary_file(buyer=request.user, now=now), content_type="application/json"
        )

    @staticmethod
    def as_temporary_file(*, buyer: Buyer, now: datetime) -> IO[bytes]:
        """Return the answer as a file on disk: whole before it leaves, so that a database that
        falls silent is told.
        """
        file = TemporaryFile()  # noqa: SIM115 - the response closes it
        file.write(b'{"success":1,"result":[')
        for index, row in enumerate(selectors.price_list(buyer=buyer, now=now)):
            file.write(b"," + dumps(row) if index else dumps(row))
        file.write(b"]}")
        file.seek(0)
        return file
