"""One order's packing sheet: what is kept or was sent, read and counted through, and what is told
of it: names, sums, faults at cells, what is missing to complete it.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext, pgettext_lazy

from apps.catalog.models import Product
from apps.common.errors import PortalError
from apps.common.printed import PrintedForm
from apps.common.staff import Context
from apps.common.staff_lists import figure_text
from apps.common.tables.cells import sku_of
from apps.common.texts import phrase
from apps.common.types import Label
from apps.orders import rules
from apps.orders.admin.packing_cells import (
    BOX_FIELDS,
    HEADINGS,
    TITLES,
    Cells,
    Fault,
    first_rows,
    read_boxes,
    rows_of_boxes,
    rows_of_text,
    rows_to_fill,
    text_of_rows,
)
from apps.orders.errors import StaleOrder
from apps.orders.models import Order
from apps.orders.rules import Box, LineToPack, kilograms
from apps.orders.selectors.packing import boxes_of, lines_to_pack, products_by_code
from apps.orders.services.packing import MAX_LENGTHS, PackingListDetails, beyond_the_shelf

MAX_TEXT = 1_000_000
MAX_FAULTS_SHOWN = 12
NOT_IN_ORDER = gettext_lazy("not in this order")
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
        self.is_sent = self.is_stale = False
        packed = {item.product_id for box in self.stored for item in box.contents}
        if others := packed - {*self.products.values()}:  # that are not in the order
            products = Product.objects.filter(pk__in=others)
            self.products |= dict(products.values_list("sku", "pk"))
        self.rows: list[Cells] = (
            rows_of_boxes(self.stored, self.skus) if self.stored else rows_to_fill(self.lines)
        )
        self.boxes = self.stored or read_boxes(self.rows, self.products)[0]
        self.form = PackingForm(initial={"version": order.version, **self._details()})

    @property
    def skus(self) -> dict[int, str]:
        """Return the SKUs of everything that the sheet names, by product id."""
        return {id_: sku for sku, id_ in self.products.items()}

    def _find(self, rows: list[Cells]) -> None:
        """Look up the products that rows name and that are not in the order, the scanned EANs of
        those that are; at most one statement.
        """
        skus = {sku_of(row["sku"]) for row in rows if row["sku"]}
        products = products_by_code(skus - self.products.keys())
        self.products |= {product.sku: product.pk for product in products.values()}
        for row in rows:
            if row["sku"] and (product := products.get(sku_of(row["sku"]))):
                row["sku"] = product.sku

    def _details(self) -> dict[str, Any]:
        """Return the details as they are kept; for a new sheet today, and the terms of the
        company's last order.
        """
        order = self.order
        terms, build_date = order.packing_terms, order.packing_build_date
        if order.packing_status == Order.Packing.NONE:
            packed = Order.objects.filter(company_id=order.company_id).exclude(packing_terms="")
            last = packed.order_by("-id").values_list("packing_terms", flat=True).first()
            terms = terms or last or ""
            build_date = build_date or timezone.localdate()
        return {
            "remarks": order.packing_remarks,
            "notify": order.packing_notify,
            "terms": terms,
            "build_date": build_date,
        }

    def fill(self, data: Mapping[str, Any], rows: list[Cells] | None = None) -> bool:
        """Take what was sent, its rows from a file where one was imported; return whether all can
        be read.
        """
        self.is_sent = True
        self.form = PackingForm(data, initial=self._details())
        readable = self.form.is_valid()
        pasted = str(data.get("rows", ""))[:MAX_TEXT]
        self.rows = rows_of_text(pasted) if rows is None else rows
        self._find(self.rows)
        self.boxes, faults = read_boxes(self.rows, self.products)
        self.cell_faults = faults
        self.faults = [
            (f"id_{name}", f"{LABELS.get(name, _('The sheet'))}: {text}")
            for name, texts in self.form.errors.items()
            for text in texts
        ]
        self.faults += [
            (f"r{fault.row}-{fault.column}", str(fault)) for fault in faults[:MAX_FAULTS_SHOWN]
        ]
        if len(faults) > MAX_FAULTS_SHOWN:
            more = phrase("and %(count)s more cells.", count=len(faults) - MAX_FAULTS_SHOWN)
            self.faults.append(("", more))
        return readable and not faults

    def details(self) -> PackingListDetails:
        """Return what the packing list says beside its boxes, as it was sent."""
        return PackingListDetails(**{name: self.form.cleaned_data[name] for name in LABELS})

    def refuse(self, error: PortalError) -> None:
        """Say what a service refused."""
        if isinstance(error, StaleOrder):
            # Once told who was quicker, what is sent next is meant for the order as it is now.
            values = {name: self.form.data.get(name, "") for name in self.form.fields}
            self.form.data = {**values, "version": self.order.version}
            self.is_stale = True
            return
        places = {"weight": "id_weight_is_right", **{name: f"id_{name}" for name in LABELS}}
        texts = [
            (places.get(name, ""), text)
            for name, texts in (error.errors or {}).items()
            for text in texts
        ]
        self.faults += texts[:MAX_FAULTS_SHOWN]

    def compared(self) -> list[Context]:
        """Return each product's pieces confirmed and packed, and how they differ; last what is not
        in the order.
        """
        packed = rules.packed_pieces(self.boxes)
        rows = [
            (line.sku, line.name, line.pieces, packed.pop(line.product_id, 0))
            for line in self.lines
        ]
        rows += [(self.skus[id_], str(NOT_IN_ORDER), 0, pieces) for id_, pieces in packed.items()]
        return [
            {
                "sku": sku,
                "name": name,
                "confirmed": confirmed,
                "packed": in_boxes,
                "sign": signed(in_boxes - confirmed),
            }
            for sku, name, confirmed, in_boxes in rows
        ]

    def missing(self) -> list[str]:
        """Return what stands between the sheet and `Packing complete`, a sentence each."""
        first = []
        if unread := len(self.cell_faults):
            text = ngettext(
                "%(count)s cell cannot be read.", "%(count)s cells cannot be read.", unread
            )
            first = [text % {"count": unread}]
        first += rules.completion_faults(boxes=self.boxes, lines=self.lines, skus=self.skus)
        return first + beyond_the_shelf(self.lines)

    def row_details(self) -> list[dict[str, Any]]:
        """Return of each row its box's number where one begins, its product's name, and whether its
        pieces differ.
        """
        labels = dict(zip(first_rows(self.rows), rules.box_labels(self.boxes), strict=False))
        names = {line.sku: line.name for line in self.lines}
        differing = rules.differences(packed=rules.packed_pieces(self.boxes), lines=self.lines)
        rows = []
        for place, row in enumerate(self.rows):
            sku = sku_of(row["sku"])
            name = names.get(sku, str(NOT_IN_ORDER) if sku else "")
            differs = bool(sku) and (sku not in self.products or self.products[sku] in differing)
            rows.append({"box": labels.get(place, ""), "name": name, "differs": differs})
        return rows

    def check(self) -> Context:
        """Return what is told of the sheet as it is filled in, as the page's script shows it."""
        packed, boxes = rules.packed_pieces(self.boxes), rules.count_boxes(self.boxes)
        confirmed = sum(line.pieces for line in self.lines)
        measured = rules.measured_g(self.boxes)
        products = rules.products_g(packed=packed, lines=self.lines)
        is_weighed = all(box.weight_g for box in self.boxes)
        percent = rules.percent_above(measured=measured, products=products) if is_weighed else None
        missing, is_unusual = self.missing(), rules.is_unusual(percent)
        untold = (
            [_("Say whether the weight is right as it is.")]
            if is_unusual and not self.form["weight_is_right"].value()
            else []
        )
        return {
            "rows": self.row_details(),
            "cells": {f"{fault.row}-{fault.column}": fault.text for fault in self.cell_faults},
            "totals": {
                "boxes": ngettext("%(count)s box", "%(count)s boxes", boxes) % {"count": boxes},
                "packed": figure_text(packed.total()),
                "confirmed": figure_text(confirmed),
                "difference": signed(packed.total() - confirmed),
                "measured": f"{kilograms(measured):,.1f} kg",
                "products": f"{kilograms(products):,.1f} kg",
                "percent": "" if percent is None else str(rules.weight_text(percent)),
            },
            "compared": self.compared(),
            "missing": missing,
            "is_unusual": is_unusual,
            "may_complete": not missing and not untold,
            "told": (missing or untold or [_("Every piece is packed.")])[0],
        }

    def file_rows(self) -> Iterator[list[Any]]:
        """Yield the headings of a workbook to fill in, then each row with its product's name and
        confirmed pieces. A SKU is a text, a figure a number.
        """
        yield [*map(str, TITLES.values()), _("Product"), pgettext("line", "Confirmed")]
        lines = {line.sku: line for line in self.lines}
        for row in self.rows:
            line = lines.get(row["sku"])
            cells = [
                float(cell) if cell and name in (*BOX_FIELDS, "pieces") else cell
                for name, cell in row.items()
            ]
            yield [*cells, *((line.name, line.pieces) if line else ())]

    def conflicts(self) -> list[Context]:
        """Return where the stored packing and the form differ, with both values."""
        stored = {
            LABELS[name]: getattr(self.order, f"packing_{name}") or "" for name in LABELS
        } | self._figures(self.stored)
        typed = {LABELS[name]: self.form.cleaned_data[name] for name in LABELS} | self._figures(
            self.boxes
        )
        rows = [
            {"what": one, "saved": _cell_text(stored[one]), "sent": _cell_text(typed[one])}
            for one in stored
        ]
        return [row for row in rows if row["saved"] != row["sent"]]

    def _figures(self, boxes: list[Box]) -> dict[Label, str]:
        packed = rules.packed_pieces(boxes)
        return {
            _("Boxes"): str(rules.count_boxes(boxes)),
            _("Pieces"): str(packed.total()),
            _("Weight"): f"{kilograms(rules.measured_g(boxes)):.1f} kg",
            **{
                sku: phrase("%(pieces)s pcs", pieces=packed[id_])
                for sku, id_ in self.products.items()
            },
        }

    def context(self) -> Context:
        """Return what the page shows."""
        check = self.check()
        return {
            "form": self.form,
            "rows_text": text_of_rows(self.rows),
            "rows": [
                {**row, "name": checked["name"]}
                for row, checked in zip(self.rows, check["rows"], strict=True)
            ],
            "faults": self.faults,
            "check": check,
            "conflicts": self.conflicts() if self.is_stale else None,
            "headings": json.dumps(HEADINGS),
            "columns": ", ".join(str(title) for title in TITLES.values()),
            "terms": TERMS,
            "usual": rules.USUAL_PERCENT,
            "is_sent": self.is_sent,
            "is_new": not self.stored and not self.is_sent,
        }


def signed(difference: int) -> str:
    """Return `+3`, `−2`, or a tick for no difference."""
    return f"{difference:+}".replace("-", "−") if difference else "✓"


def _cell_text(value: str | date) -> str:
    return str(value or "–").replace("\r\n", "\n")
