"""The sheet of a confirmed order that is corrected until its balance is paid."""

from typing import Any

from apps.common.types import Json
from apps.orders.admin.forms import CorrectionForm
from apps.orders.admin.sheet import Sheet
from apps.orders.models import Order, OrderLine
from apps.orders.services.correct import (
    added_before,
    before_confirmation,
    correct_confirmation,
)


class CorrectionSheet(Sheet):
    """The sheet of a confirmed order that is corrected: its lines as they were decided."""

    form_class = CorrectionForm

    def _load(self) -> list[OrderLine]:
        self.before = before_confirmation(self.order)
        self.now = {one.line.pk: one.now for one in self.before.lines}
        return [one.line for one in self.before.lines]

    def _fee(self) -> Any:
        return self.order.shipping_fee

    def _cells(self, line: OrderLine) -> Json:
        return dict(vars(self.now[line.pk]))

    def _added(self) -> list[Json]:
        names = ("quantity", "reason", "comment", "price")
        return [
            {"sku": line.sku, **{name: getattr(extra, name) for name in names}}
            for line, extra in zip(self.before.added, added_before(self.before), strict=True)
        ]

    def confirm(self) -> Order:
        """Correct the confirmation with this sheet.

        Raises:
            PortalError: whatever `correct_confirmation` refuses.
        """
        return correct_confirmation(reason=self.form.cleaned_data["why"], **self.given())
