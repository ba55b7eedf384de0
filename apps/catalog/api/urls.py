"""Addresses of the product ordering calls."""

from apps.catalog.api import views
from apps.common.http.api import calls

urlpatterns = calls(
    {
        "product/stock/<str:uuid>/<str:brand_id>": views.ProductsView,
        "brand/<str:uuid>": views.BrandsView,
        "product/promotion/stock/<str:uuid>": views.PromotionView,
        "product/like/<str:uuid>": views.LikeView,
        "product/suggest/<str:uuid>": views.SuggestView,
        "product/cart/stock": views.CartStockView,
        "excel/product-setting/<str:uuid>": views.PriceListView,
    }
)
