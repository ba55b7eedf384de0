"""Addresses of the product ordering calls."""

from django.urls import path

from apps.catalog.api import views

urlpatterns = [
    path("product/stock/<str:uuid>/<str:brand_id>", views.ProductsView.as_view()),
    path("brand/<str:uuid>", views.BrandsView.as_view()),
    path("product/promotion/stock/<str:uuid>", views.PromotionView.as_view()),
    path("product/like/<str:uuid>", views.LikeView.as_view()),
    path("product/suggest/<str:uuid>", views.SuggestView.as_view()),
    path("product/cart/stock", views.CartStockView.as_view()),
    path("excel/product-setting/<str:uuid>", views.PriceListView.as_view()),
]
