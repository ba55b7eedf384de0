"""Paths of the orders' calls, as in api.md, without a final slash."""

from django.urls import path

from apps.orders.api import baskets, files, proposals, views, waiting
from apps.orders.intake import api as intake

urlpatterns = [
    path("order/<int:status_id>", views.OrderListView.as_view()),
    path("details/<str:invoice_code>", views.OrderDetailsView.as_view()),
    path("temp-order", views.TemporaryOrdersView.as_view()),
    path("temp-orders", views.UnfinishedRequestsView.as_view()),
    path("recent/order/<str:uuid>/<int:n>", views.RecentOrdersView.as_view()),
    path("temp-order/<str:invoice_code>", views.TemporaryOrderView.as_view()),
    path("basket", baskets.BasketView.as_view()),
    path("basket/review", intake.BasketReviewView.as_view()),
    path("basket/list", intake.ListInHandView.as_view()),
    path("basket/sheet", intake.SheetView.as_view()),
    path("basket/edits", baskets.BasketEditsView.as_view()),
    path("baskets", baskets.SavedBasketsView.as_view()),
    path("baskets/<str:basket>", baskets.SavedBasketView.as_view()),
    path("baskets/<str:basket>/name", baskets.BasketNameView.as_view()),
    path("order-sums/<int:status_id>", views.OrderSumsView.as_view()),
    path("order/check", views.OrderCheckView.as_view()),
    path("order/address", views.OrderAddressView.as_view()),
    path("order/edit/address", views.EditAddressView.as_view()),
    path("order/po-number/<str:invoice_code>", views.PoNumberView.as_view()),
    path("order/po-file/<str:invoice_code>", files.PoFileView.as_view()),
    path("order/proposals/<str:invoice_code>", proposals.ProposalsView.as_view()),
    path("order/proposals/<str:invoice_code>/totals", proposals.NewTotalsView.as_view()),
    path("order/customer/messages/<str:invoice_code>", views.ConversationView.as_view()),
    path("order/customer/read/<str:invoice_code>", views.ReadView.as_view()),
    path("order/customer/memo/<str:invoice_code>", views.CustomerMemoView.as_view()),
    path("order/customer/ship-memo/<str:invoice_code>", views.ShipMemoView.as_view()),
    path("order/<int:status_id>/<str:invoice_code>", views.OrderInListView.as_view()),
    path("account/own-codes", intake.OwnCodesView.as_view()),
    path("account/own-codes/<str:own_code_id>", intake.OwnCodeView.as_view()),
    path("account/wishes", waiting.WishesView.as_view()),
    path("account/wishes/<str:wish_id>", waiting.WishView.as_view()),
    path("order-again", waiting.OrderAgainView.as_view()),
    path("dashboard/due/<str:uuid>", waiting.WhatIsDueView.as_view()),
    path("dashboard/quick/<str:uuid>/<path:invoice_number>", views.QuickSearchView.as_view()),
]
