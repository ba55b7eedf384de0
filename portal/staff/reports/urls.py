"""The addresses of the reports, for those who may see the tally of sales."""

from apps.common.staff import staff_paths
from portal.staff.reports import pages

SEE_REPORTS = "orders.view_salestally"
PAGES = (
    ("", pages.sales_page, pages.SALES, SEE_REPORTS),
    ("receivables/", pages.receivables_page, "receivables", SEE_REPORTS),
    ("stock/", pages.stock_page, "stock", SEE_REPORTS),
)

urlpatterns = staff_paths("orders/salestally", PAGES, of_one=False)
