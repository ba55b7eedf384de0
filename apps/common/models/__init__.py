"""What the seller sets of the portal: who it is, its money, its days and its texts."""

from apps.common.models.seller import BankAccount, ClosedDay, Seller
from apps.common.models.texts import MailText, Policy
