"""What the catalogue asks of the apps above it."""

from django.dispatch import Signal

# Which of these `products` (id to SKU), not older than `since`, does somebody name? Each receiver
# returns their ids. The transaction that asks has locked their stock: no order can begin to name
# them.
naming_products = Signal()

# Pieces (`pieces`, product id to count) have come onto the shelf, at `now`; their stock is locked
# by this transaction.
stock_arrived = Signal()

# What was held for a priced list (`invoice_code`) is free again, in this transaction.
hold_released = Signal()
