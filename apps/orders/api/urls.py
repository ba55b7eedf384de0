"""Paths of the orders' calls, as in api.md, without a final slash."""

from apps.common.http.api import calls
from apps.orders.api import baskets, files, views, waiting
from apps.orders.intake import api as intake

urlpatterns = calls(
    {
        "order/<int:status_id>": views.OrderListView,
        "details/<str:invoice_code>": views.OrderDetailsView,
        "temp-order": views.TemporaryOrdersView,
        "temp-orders": views.UnfinishedRequestsView,
        "recent/order/<str:uuid>/<int:n>": views.RecentOrdersView,
        "temp-order/<str:invoice_code>": views.TemporaryOrderView,
        "basket": baskets.BasketView,
        "basket/review": intake.BasketReviewView,
        "basket/list": intake.ListInHandView,
        "basket/sheet": intake.SheetView,
        "basket/edits": baskets.BasketEditsView,
        "baskets": baskets.SavedBasketsView,
        "baskets/<str:basket>": baskets.SavedBasketView,
        "baskets/<str:basket>/name": baskets.BasketNameView,
        "order-sums/<int:status_id>": views.OrderSumsView,
        "order/check": views.OrderCheckView,
        "order/address": views.OrderAddressView,
        "order/edit/address": views.EditAddressView,
        "order/po-number/<str:invoice_code>": views.PoNumberView,
        "order/po-file/<str:invoice_code>": files.PoFileView,
        "order/proposals/<str:invoice_code>": waiting.ProposalsView,
        "order/proposals/<str:invoice_code>/totals": waiting.NewTotalsView,
        "order/customer/messages/<str:invoice_code>": views.ConversationView,
        "order/customer/read/<str:invoice_code>": views.ReadView,
        "order/customer/memo/<str:invoice_code>": views.CustomerMemoView,
        "order/customer/ship-memo/<str:invoice_code>": views.ShipMemoView,
        "order/<int:status_id>/<str:invoice_code>": views.OrderInListView,
        "account/own-codes": intake.OwnCodesView,
        "account/own-codes/<str:own_code_id>": intake.OwnCodeView,
        "account/wishes": waiting.WishesView,
        "account/wishes/<str:wish_id>": waiting.WishView,
        "order-again": waiting.OrderAgainView,
        "dashboard/due/<str:uuid>": waiting.WhatIsDueView,
        "dashboard/quick/<str:uuid>/<path:invoice_number>": views.QuickSearchView,
    }
)
