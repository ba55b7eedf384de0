"""Paths of the checkout calls, as in api.md, without a final slash."""

from django.urls import path

from apps.payments.api import account, views

urlpatterns = [
    path("temp-order-info/stock/<str:invoice_code>", views.TemporaryOrderInfoView.as_view()),
    path("order/checkout-deposit/tt", views.WireDepositView.as_view()),
    path("order/checkout-deposit/paypal", views.PayPalDepositView.as_view()),
    path("order/checkout-deposit/paypal/success", views.PayPalDepositReturnView.as_view()),
    path("order/checkout-deposit/paypal/failure", views.PayPalDepositCancelView.as_view()),
    path("order/checkout", views.BalanceCheckoutView.as_view()),
    path("order/tt", views.BalanceWireView.as_view()),
    path("order/paypal", views.PayPalBalanceView.as_view()),
    path("order/paypal/success", views.PayPalBalanceReturnView.as_view()),
    path("order/paypal/failure", views.PayPalBalanceCancelView.as_view()),
    path("order/wire/<str:invoice_code>", views.WireView.as_view()),
    path("order/wire-proof/<str:invoice_code>", views.WireProofView.as_view()),
    path("order/withdraw/<str:invoice_code>", views.WithdrawView.as_view()),
    path("order/wallet", views.WalletPaymentView.as_view()),
    path("account", account.AccountView.as_view()),
    path("account/counts", account.AccountCountsView.as_view()),
    path("account/statement", account.StatementView.as_view()),
    path("account/documents", account.DocumentsView.as_view()),
    path("wallet", views.WalletView.as_view()),
    path("paypal/webhook", views.PayPalWebhookView.as_view()),
]
