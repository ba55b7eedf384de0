"""Paths of the checkout calls, as in api.md, without a final slash."""

from apps.common.http.api import calls
from apps.payments.api import account, views

urlpatterns = calls(
    {
        "temp-order-info/stock/<str:invoice_code>": views.TemporaryOrderInfoView,
        "order/checkout-deposit/tt": views.WireDepositView,
        "order/checkout-deposit/paypal": views.PayPalDepositView,
        "order/checkout-deposit/paypal/success": views.PayPalDepositReturnView,
        "order/checkout-deposit/paypal/failure": views.PayPalDepositCancelView,
        "order/checkout": views.BalanceCheckoutView,
        "order/tt": views.BalanceWireView,
        "order/paypal": views.PayPalBalanceView,
        "order/paypal/success": views.PayPalBalanceReturnView,
        "order/paypal/failure": views.PayPalBalanceCancelView,
        "order/wire/<str:invoice_code>": views.WireView,
        "order/wire-proof/<str:invoice_code>": views.WireProofView,
        "order/withdraw/<str:invoice_code>": views.WithdrawView,
        "order/wallet": views.WalletPaymentView,
        "account": account.AccountView,
        "account/counts": account.AccountCountsView,
        "account/statement": account.StatementView,
        "account/documents": account.DocumentsView,
        "wallet": views.WalletView,
        "paypal/webhook": views.PayPalWebhookView,
    }
)
