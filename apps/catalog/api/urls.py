"""Addresses of the product ordering calls."""

from django.urls import path

from apps.catalog.api import lists, own_codes, pasted, views

urlpatterns = [
    path("product/stock/<str:uuid>/<str:brand_id>", views.ProductsView.as_view()),
    path("brand/<str:uuid>", views.BrandsView.as_view()),
    path("product/promotion/stock/<str:uuid>", views.PromotionView.as_view()),
    path("product/like/<str:uuid>", views.LikeView.as_view()),
    path("product/suggest/<str:uuid>", views.SuggestView.as_view()),
    path("product/cart/stock", views.CartStockView.as_view()),
    path("basket/review", lists.BasketReviewView.as_view()),
    path("basket/lists", lists.ListsView.as_view()),
    path("basket/lists/<str:list_uuid>", lists.ListView.as_view()),
    path("basket/messages/<str:message>", pasted.PastedMessageView.as_view()),
    path("account/own-codes", own_codes.OwnCodesView.as_view()),
    path("account/own-codes/<str:own_code_id>", own_codes.OwnCodeView.as_view()),
    path("excel/product-setting/<str:uuid>", views.PriceListView.as_view()),
]
