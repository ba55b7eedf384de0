"""Models of the orders app."""

from apps.orders.models.baskets import Basket, SavedBasket
from apps.orders.models.documents import BuyerFile, IssuedDocument, OrderDocument
from apps.orders.models.lists import ListInHand, ListLayout, OwnCode, SentSheet
from apps.orders.models.orders import (
    MAX_PO_NUMBER,
    UNPAID,
    UNREAD,
    FormerTracking,
    FrozenLine,
    FrozenProduct,
    Order,
    OrderEvent,
    OrderLine,
    TemporaryOrder,
    invoice_code,
)
from apps.orders.models.packing import (
    ConfirmationDraft,
    PackingBox,
    PackingItem,
    ShippingRate,
)
from apps.orders.models.proposals import LineProposal
from apps.orders.models.tallies import OrderTally, SalesTally, month_bucket, status_bucket
from apps.orders.models.wishes import GivenPieces, Wish
