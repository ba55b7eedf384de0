"""The orders' list as a spreadsheet; text stays text, so that no cell is a formula."""

from io import BytesIO

import xlsxwriter
from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils import timezone

from apps.common.storage.files import XLSX
from apps.orders.models import Order
from apps.orders.selectors import due_of
from apps.orders.status import OrderStatus

HEADINGS = (
    "Invoice",
    "Company",
    "E-mail",
    "Country",
    "Status",
    "Placed",
    "Lines",
    "Total $",
    "Received $",
    "Balance $",
)


def orders_spreadsheet(orders: QuerySet[Order]) -> HttpResponse:
    """Return orders as a file to download, one row each."""
    buffer = BytesIO()
    book = xlsxwriter.Workbook(buffer, {"constant_memory": True})
    sheet, money = book.add_worksheet("Orders"), book.add_format({"num_format": "#,##0.00"})
    for column, heading in enumerate(HEADINGS):
        sheet.write_string(0, column, heading)
    for row, order in enumerate(orders.select_related("company", "user", "ship_country").iterator(), 1):
        texts = (
            order.invoice_code,
            order.company.name,
            order.user.email,
            str(order.ship_country or ""),
            OrderStatus(order.status).label,
            f"{timezone.localtime(order.placed_at):%Y-%m-%d}",
        )
        for column, text in enumerate(texts):
            sheet.write_string(row, column, text)
        sheet.write_number(row, len(texts), order.count)
        amounts = (order.real_total + order.shipping_fee, order.received, due_of(order))
        for column, amount in enumerate(amounts, len(texts) + 1):
            sheet.write_number(row, column, amount, money)
    book.close()
    response = HttpResponse(buffer.getvalue(), content_type=XLSX)
    response["Content-Disposition"] = 'attachment; filename="Orders.xlsx"'
    return response
