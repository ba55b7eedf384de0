"""What an order has of the stock, given back and taken again."""

from django.db.models import F, QuerySet, Sum

from apps.catalog.services import stock
from apps.orders.models import Order, OrderLine


def allocated_pieces(lines: QuerySet[OrderLine]) -> dict[int, int]:
    """Return the pieces promised to lines, by product id."""
    sums = lines.filter(allocated__gt=0).order_by().values_list("product_id")
    return dict(sums.annotate(pieces=Sum("allocated")))


def release_stock(order: Order) -> None:
    """Give back everything that is promised to the lines of a locked order."""
    stock.release(wanted=allocated_pieces(order.lines.all()))
    order.lines.filter(allocated__gt=0).update(allocated=0)


def allocate_released_stock(order: Order) -> None:
    """Promise the pieces of a locked, received order that lost them when its deposit was denied;
    else do nothing.

    Raises:
        OutOfStock: a product has too few by now, and the buyer is not `stock_free`.
    """
    bare = OrderLine.objects.filter(order=order, is_confirmed=True, allocated=0).order_by()
    wanted = dict(bare.values_list("product_id").annotate(pieces=Sum("quantity")))
    if wanted:
        stock.allocate(wanted=wanted, stock_free=order.user.stock_free)
        bare.update(allocated=F("quantity"))
