"""Paths of the orders' calls, as in api.md, without a final slash."""

from django.urls import path

from apps.orders.api import views

urlpatterns = [
    path("order/<int:status_id>", views.OrderListView.as_view()),
    path("details/<str:invoice_code>", views.OrderDetailsView.as_view()),
    path("temp-order", views.TemporaryOrdersView.as_view()),
    path("recent/order/<str:uuid>/<int:n>", views.RecentOrdersView.as_view()),
    path("temp-order/<str:invoice_code>", views.TemporaryOrderView.as_view()),
    path("order/check", views.OrderCheckView.as_view()),
    path("order/address", views.OrderAddressView.as_view()),
    path("order/edit/address", views.EditAddressView.as_view()),
    path("order/customer/memo/<str:invoice_code>", views.CustomerMemoView.as_view()),
    path("order/customer/ship-memo/<str:invoice_code>", views.ShipMemoView.as_view()),
    path("order/<int:status_id>/<str:invoice_code>", views.OrderInListView.as_view()),
    path("dashboard/quick/<str:uuid>/<path:invoice_number>", views.QuickSearchView.as_view()),
]
