"""One order's packing sheet: what is kept or was sent, read and counted through."""

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from apps.catalog.models import Product
from apps.common.errors import PortalError
from apps.common.printed import PrintedForm
from apps.common.tables.cells import sku_of
from apps.orders import packing_rules as rules
from apps.orders.admin.packing_cells import (
    HEADINGS,
    TITLES,
    Cells,
    Fault,
    Sheet,
    read_boxes,
    rows_of_boxes,
    rows_to_fill,
    sheet_of_text,
    skus_of,
    text_of_rows,
)
from apps.orders.admin.packing_check import PackingCheck
from apps.orders.models import Order
from apps.orders.packing_rules import Box, LineToPack
from apps.orders.rules import kilograms
from apps.orders.selectors.codes import products_by_code
from apps.orders.selectors.to_pack import boxes_of, lines_to_pack
from apps.orders.services.packing import MAX_LENGTHS, PackingListDetails

MAX_TEXT = 1_000_000
SHOWN_FAULTS = 12
TERMS = ("EXW Seoul", "FCA Incheon", "FOB Busan", "CPT", "CIP", "DAP", "DDP")


class PackingForm(PrintedForm, forms.Form):
    """The sheet in one field, rows of cells parted by tabs, and what the packing list says beside
    it.
    """

    printed = ("remarks", "notify", "terms")

    version = forms.IntegerField(widget=forms.HiddenInput)
    rows = forms.CharField(required=False, strip=False, max_length=MAX_TEXT)
    remarks = forms.CharField(required=False, max_length=MAX_LENGTHS["remarks"])
    notify = forms.CharField(required=False, max_length=MAX_LENGTHS["notify"])
    terms = forms.CharField(required=False, max_length=MAX_LENGTHS["terms"])
    build_date = forms.DateField(required=False)
    weight_is_right = forms.BooleanField(required=False)


LABELS = {
    "remarks": gettext_lazy("Remarks"),
    "notify": gettext_lazy("Notify party"),
    "terms": pgettext_lazy("packing", "Terms"),
    "build_date": gettext_lazy("Build date"),
}


class PackingSheet:
    """What the page shows and what a service is given."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.lines: list[LineToPack] = lines_to_pack(order_id=order.pk)
        self.stored: list[Box] = boxes_of(order_id=order.pk)
        self.products = {line.sku: line.product_id for line in self.lines}
        self.faults: list[tuple[str, str]] = []
        self.cell_faults: list[Fault] = []
        self.is_sent = False
        self._know({item.product_id for box in self.stored for item in box.contents})
        self.rows: list[Cells] = (
            rows_of_boxes(self.stored, self.skus) if self.stored else rows_to_fill(self.lines)
        )
        self.boxes = self.stored or read_boxes(self.rows, self.products)[0]
        self.form = PackingForm(initial={"version": order.version, **self._details()})

    @property
    def skus(self) -> dict[int, str]:
        """Return the SKUs of everything that the sheet names, by product id."""
        return {id_: sku for sku, id_ in self.products.items()}

    def _know(self, ids: set[int]) -> None:
        """Look up the packed products that are not in the order; at most one statement."""
        if ids := ids - set(self.products.values()):
            self.products |= dict(Product.objects.filter(pk__in=ids).values_list("sku", "pk"))

    def _find(self, rows: list[Cells]) -> None:
        """Look up the products that rows name and that are not in the order, the scanned EANs of
        those that are; at most one statement.
        """
        found = products_by_code(skus_of(rows) - self.products.keys())
        self.products |= {product.sku: product.pk for product in found.values()}
        for row in rows:
            if row["sku"] and (product := found.get(sku_of(row["sku"]))):
                row["sku"] = product.sku

    def _details(self) -> dict[str, Any]:
        """Return the details as they are kept; for a new sheet today, and the terms of the
        company's last order.
        """
        order = self.order
        terms, build_date = order.packing_terms, order.packing_build_date
        if order.packing_status == Order.Packing.NONE:
            packed = Order.objects.filter(company_id=order.company_id).exclude(packing_terms="")
            terms = (
                terms
                or packed.order_by("-id").values_list("packing_terms", flat=True).first()
                or ""
            )
            build_date = build_date or timezone.localdate()
        return {
            "remarks": order.packing_remarks,
            "notify": order.packing_notify,
            "terms": terms,
            "build_date": build_date,
        }

    def fill(self, data: Mapping[str, Any], sheet: Sheet | None = None) -> bool:
        """Take what was sent, its rows from `sheet` where a file was imported; return whether all
        can be read.
        """
        self.is_sent = True
        self.form = PackingForm(data, initial=self._details())
        readable = self.form.is_valid()
        self.rows = (sheet or sheet_of_text(str(data.get("rows", ""))[:MAX_TEXT])).rows
        self._find(self.rows)
        self.boxes, faults = read_boxes(self.rows, self.products)
        self.cell_faults = faults
        self.faults = [
            (f"id_{name}", f"{LABELS.get(name, _('The sheet'))}: {text}")
            for name, texts in self.form.errors.items()
            for text in texts
        ]
        self.faults += [
            (f"r{fault.row}-{fault.column}", str(fault)) for fault in faults[:SHOWN_FAULTS]
        ]
        if len(faults) > SHOWN_FAULTS:
            self.faults.append(
                ("", _("and %(count)s more cells.") % {"count": len(faults) - SHOWN_FAULTS})
            )
        return readable and not faults

    def details(self) -> PackingListDetails:
        """Return what the packing list says beside its boxes, as it was sent."""
        given = self.form.cleaned_data
        return PackingListDetails(
            given["remarks"], given["notify"], given["terms"], given["build_date"]
        )

    def refuse(self, error: PortalError) -> None:
        """Say what a service refused."""
        if "version" in (error.errors or {}):
            # Once told who was quicker, what is sent next is meant for the order as it is now.
            sent = {name: self.form.data.get(name, "") for name in self.form.fields}
            self.form.data = {**sent, "version": self.order.version}
            return
        places = {"weight": "id_weight_is_right", **{name: f"id_{name}" for name in LABELS}}
        texts = [
            (places.get(name, ""), text)
            for name, texts in (error.errors or {}).items()
            for text in texts
        ]
        self.faults += texts[:SHOWN_FAULTS]

    def check(self) -> PackingCheck:
        """Return what is told of the sheet as it is filled in."""
        is_right = bool(self.form["weight_is_right"].value())
        return PackingCheck(
            self.rows, self.boxes, self.cell_faults, self.lines, self.products, is_right
        )

    def conflicts(self) -> list[dict[str, Any]]:
        """Return where what is kept and what was sent differ, with both values."""
        kept = {name: getattr(self.order, f"packing_{name}") or "" for name in LABELS}
        rows = [
            {
                "what": LABELS[name],
                "kept": _shown(kept[name]),
                "sent": _shown(self.form.cleaned_data[name]),
            }
            for name in LABELS
        ]
        figures = [_figures(boxes) for boxes in (self.stored, self.boxes)]
        rows += [
            {"what": what, "kept": figures[0][what], "sent": figures[1][what]}
            for what in figures[0]
        ]
        pieces, kept_pieces = _("%(pieces)s pcs"), rules.packed_pieces(self.stored)
        sent_pieces = rules.packed_pieces(self.boxes)
        rows += [
            {
                "what": sku,
                "kept": pieces % {"pieces": kept_pieces[id_]},
                "sent": pieces % {"pieces": sent_pieces[id_]},
            }
            for sku, id_ in self.products.items()
        ]
        return [row for row in rows if row["kept"] != row["sent"]]

    def context(self) -> dict[str, Any]:
        """Return what the page shows."""
        check = self.check()
        answer = check.answer()
        return {
            "form": self.form,
            "rows_text": text_of_rows(self.rows),
            "rows": [
                {**row, "name": shown["name"]}
                for row, shown in zip(self.rows, answer["rows"], strict=True)
            ],
            "faults": self.faults,
            "check": answer,
            "headings": json.dumps(HEADINGS),
            "columns": ", ".join(str(title) for title in TITLES.values()),
            "terms": TERMS,
            "usual": rules.USUAL_PERCENT,
            "is_sent": self.is_sent,
            "is_new": not self.stored and not self.is_sent,
        }


def _figures(boxes: list[Box]) -> dict[str, str]:
    return {
        _("Boxes"): str(rules.count_boxes(boxes)),
        _("Pieces"): str(rules.packed_pieces(boxes).total()),
        _("Weight"): f"{kilograms(rules.measured_g(boxes)):.1f} kg",
    }


def _shown(value: str | date) -> str:
    return str(value or "–").replace("\r\n", "\n")
