"""What orders tell to the apps above them, inside the transaction that does it."""

from django.dispatch import Signal

# A locked order (`order`) has received `amount` US dollars beyond what it costs; `actor` and `now`
# as in the service.
order_overpaid = Signal()

# A locked order (`order`) has just reached Completed Payment; `now` as in the service.
order_paid = Signal()

# A locked temporary order (`draft`) is about to be deleted at its buyer's wish, `now`; a refusal
# raised here stops it.
temporary_order_dropped = Signal()
