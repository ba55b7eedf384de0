"""Deposits, balances, wires, PayPal, refunds and the wallet."""
