"""What a packing sheet is told while it is filled in: names, sums, faults at cells, what is missing
to complete it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.common.tables.cells import sku_of
from apps.orders import packing_rules as rules
from apps.orders.admin.packing_cells import Cells, Fault, first_rows
from apps.orders.packing_rules import Box, LineToPack
from apps.orders.rules import kilograms

NOT_IN_ORDER = gettext_lazy("not in this order")


@dataclass(frozen=True)
class ComparedLine:
    """A product on the right of the sheet: pieces confirmed, packed, and what differs."""

    sku: str
    name: str
    confirmed: int
    packed: int

    @property
    def sign(self) -> str:
        """Return packed less confirmed, as it is shown."""
        return signed(self.packed - self.confirmed)


def signed(difference: int) -> str:
    """Return `+3`, `−2`, or a tick for no difference."""
    return f"{difference:+}".replace("-", "−") if difference else "✓"


@dataclass(frozen=True)
class PackingCheck:
    """Rows of a sheet as they were read: `boxes` of them, `products` gives ids by SKU."""

    rows: Sequence[Cells]
    boxes: Sequence[Box]
    faults: Sequence[Fault]
    lines: Sequence[LineToPack]
    products: Mapping[str, int]
    weight_is_right: bool = False

    @property
    def skus(self) -> dict[int, str]:
        """Return the SKUs of everything that the sheet names, by product id."""
        return {id_: sku for sku, id_ in self.products.items()}

    def compared(self) -> list[ComparedLine]:
        """Return packed against confirmed, product by product; last what is not in the order."""
        packed = rules.packed_pieces(self.boxes)
        ordered = [
            ComparedLine(line.sku, line.name, line.pieces, packed.pop(line.product_id, 0))
            for line in self.lines
        ]
        skus = self.skus
        return ordered + [
            ComparedLine(skus[id_], str(NOT_IN_ORDER), 0, pieces) for id_, pieces in packed.items()
        ]

    def missing(self) -> list[str]:
        """Return what stands between the sheet and `Packing complete`, a sentence each."""
        first = []
        if unread := len(self.faults):
            text = ngettext(
                "%(count)s cell cannot be read.", "%(count)s cells cannot be read.", unread
            )
            first = [text % {"count": unread}]
        return first + rules.completion_faults(boxes=self.boxes, lines=self.lines, skus=self.skus)

    def percent(self) -> int | None:
        """Return by how many per cent the boxes outweigh the products; None until all of them are
        weighed.
        """
        if not all(box.weight_g for box in self.boxes):
            return None
        return rules.percent_above(
            measured=rules.measured_g(self.boxes), products=self._products_g()
        )

    def _products_g(self) -> int:
        return rules.products_g(packed=rules.packed_pieces(self.boxes), lines=self.lines)

    def totals(self) -> dict[str, str]:
        """Return the sheet's sums as they are shown."""
        packed, confirmed = (
            rules.packed_pieces(self.boxes).total(),
            sum(line.pieces for line in self.lines),
        )
        boxes, percent = rules.count_boxes(self.boxes), self.percent()
        return {
            "boxes": ngettext("%(count)s box", "%(count)s boxes", boxes) % {"count": boxes},
            "packed": f"{packed:,}",
            "confirmed": f"{confirmed:,}",
            "difference": signed(packed - confirmed),
            "measured": f"{kilograms(rules.measured_g(self.boxes)):,.1f} kg",
            "products": f"{kilograms(self._products_g()):,.1f} kg",
            "percent": "" if percent is None else rules.weight_text(percent),
        }

    def shown_rows(self) -> list[dict[str, Any]]:
        """Return of each row its box's number where one begins, its product's name, and whether its
        pieces differ.
        """
        labels = dict(zip(first_rows(self.rows), rules.box_labels(self.boxes), strict=False))
        names = {line.sku: line.name for line in self.lines}
        differing = rules.differences(packed=rules.packed_pieces(self.boxes), lines=self.lines)
        shown = []
        for place, row in enumerate(self.rows):
            sku = sku_of(row["sku"])
            name = names.get(sku, str(NOT_IN_ORDER) if sku else "")
            differs = bool(sku) and (sku not in self.products or self.products[sku] in differing)
            shown.append({"box": labels.get(place, ""), "name": name, "differs": differs})
        return shown

    def answer(self) -> dict[str, Any]:
        """Return everything, as the page's script shows it."""
        missing, is_unusual = self.missing(), rules.is_unusual(self.percent())
        untold = (
            [_("Say whether the weight is right as it is.")]
            if is_unusual and not self.weight_is_right
            else []
        )
        return {
            "rows": self.shown_rows(),
            "cells": {f"{fault.row}-{fault.column}": fault.text for fault in self.faults},
            "totals": self.totals(),
            "compared": [{**asdict(line), "sign": line.sign} for line in self.compared()],
            "missing": missing,
            "is_unusual": is_unusual,
            "may_complete": not missing and not untold,
            "told": (missing or untold or [_("Every piece is packed.")])[0],
        }
