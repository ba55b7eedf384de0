"""What the seller sets of the portal: who it is, its money and its days."""

from apps.common.models.seller import BankAccount, ClosedDay, Seller

__all__ = ["BankAccount", "ClosedDay", "Seller"]
