"""The demo's notices: shipping calendars, price changes, new brands and two August promotions
(readings, Demo data).
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from portal.demo.documents import pdf


@dataclass(frozen=True)
class DemoFile:
    """A PDF attached to a notice."""

    name: str
    title: str
    lines: tuple[str, ...]

    @property
    def content(self) -> bytes:
        """Return the bytes of the file."""
        return pdf(self.title, list(self.lines))


@dataclass(frozen=True)
class DemoNotice:
    """One notice. The times of its popup window are the seller's local time, without a zone."""

    notice_id: int
    title: str
    html: str
    published: int | date
    """Days before loading, or the day itself."""
    files: tuple[DemoFile, ...] = ()
    popup_from: datetime | None = None
    popup_until: datetime | None = None

    def published_on(self, *, today: date) -> date:
        """Return the day on which it was published, where the demo is loaded `today`."""
        return (
            self.published
            if isinstance(self.published, date)
            else today - timedelta(days=self.published)
        )


_AUGUST_FROM = datetime(2025, 8, 1)  # noqa: DTZ001 (see DemoNotice)
_AUGUST_UNTIL = datetime(2025, 8, 31, 23, 59, 59)  # noqa: DTZ001
_BEFORE_AUGUST = date(2025, 7, 28)

NOTICES: tuple[DemoNotice, ...] = (
    DemoNotice(
        1,
        "Welcome to the ordering portal",
        "<p>You can now order, pay and follow your shipments in one place.</p>"
        "<ul><li>Fill the basket on <strong>Product order</strong> and request an order.</li>"
        "<li>Check out the deposit.</li>"
        "<li>Follow each step under <strong>Order info</strong>.</li></ul>"
        "<p>Is something missing? Write to us, we read every message.</p>",
        232,
        files=(
            DemoFile(
                "ordering-in-five-steps.pdf",
                "Ordering in five steps",
                (
                    "1. Choose products; quantities go in steps of the MOQ.",
                    "2. Request the order. Prices stay as they are for 7 days.",
                    "3. Check out the deposit.",
                    (
                        "4. We confirm the lines, pack, and send the final "
                        "invoice with the shipping fee."
                    ),
                    (
                        "5. Pay the balance. We ship within 2 business days and "
                        "send the tracking number."
                    ),
                ),
            ),
        ),
    ),
    DemoNotice(
        2,
        "Minimum order quantities explained",
        (
            "<p>Most products are ordered in multiples of their <strong>MOQ</strong>, "
            "which is shown in every row.</p><p>A few products can be ordered in any "
            "number from 20 pieces up.</p>"
        ),
        204,
    ),
    DemoNotice(
        3,
        "New brand: Noon Cloud joins the catalogue",
        (
            "<p><strong>Noon Cloud</strong> brings light sun care and fresh daily "
            "basics at friendly prices.</p><p>Testers are packed free of charge with "
            "each first order of the brand.</p>"
        ),
        176,
    ),
    DemoNotice(
        4,
        "Scheduled maintenance on Sunday, 02:00 to 04:00 KST",
        (
            "<p>The portal will be closed for two hours. Your basket stays in your browser and "
            "nothing is lost.</p>"
        ),
        149,
    ),
    DemoNotice(
        5,
        "Bank account details for wire transfers (please update your records)",
        (
            "<p>Please compare the account shown on the deposit screen with your records before "
            "the next wire.</p><p>We <strong>never</strong> announce a change of account by "
            "e-mail alone. If in doubt, call us first.</p>"
        ),
        121,
        files=(
            DemoFile(
                "wire-transfer-checklist.pdf",
                "Wire transfer checklist",
                (
                    "The beneficiary is the company named on the deposit screen.",
                    "Write the invoice code into the reference field.",
                    "Choose OUR, so that the full amount arrives.",
                    "The depositor's name must match the one that you entered.",
                ),
            ),
        ),
    ),
    DemoNotice(
        6,
        "Customs documents now attached to every confirmed order",
        (
            "<p>From now on you find these files under <strong>Order info</strong> as soon as an "
            "order is confirmed:</p><ul><li>commercial invoice</li><li>packing "
            "list</li><li>certificate of origin, on request</li></ul>"
        ),
        98,
    ),
    DemoNotice(
        7,
        "Longer shelf life on Bomnal Botanics sheet masks",
        (
            "<p>New batches carry <strong>36 months</strong> of shelf life in place of 30. The "
            "formula is unchanged.</p>"
        ),
        83,
    ),
    DemoNotice(
        8,
        "August promotion: sun care up to 15 % off",
        (
            "<p>All through August, sun creams, sticks and mists are up to <strong>15 %</strong> "
            "lower.</p><ul><li>Moss &amp; Mineral: Mineral Shade</li><li>Noon Cloud: "
            "Daylight</li><li>Verdelune: Sun Lune</li></ul><p>The prices in the catalogue are "
            "already reduced.</p>"
        ),
        _BEFORE_AUGUST,
        popup_from=_AUGUST_FROM,
        popup_until=_AUGUST_UNTIL,
    ),
    DemoNotice(
        9,
        "August promotion: free sheet masks with every order above $1,000",
        (
            "<p>Order for <strong>$1,000</strong> or more in August and we add 24 Overnight Dew "
            "Mask Pouches.</p><p>They appear as a free offer on your confirmed order.</p>"
        ),
        _BEFORE_AUGUST,
        files=(
            DemoFile(
                "august-promotion.pdf",
                "August promotion",
                (
                    "Period: 1 to 31 August 2025, Korean time.",
                    "Orders from $1,000 receive 24 Overnight Dew Mask Pouches (DEW-SM010).",
                    "One free offer per order, while stock lasts.",
                ),
            ),
        ),
        popup_from=_AUGUST_FROM,
        popup_until=_AUGUST_UNTIL,
    ),
    DemoNotice(
        10,
        "Bomnal Botanics gel cleanser: restock expected in three weeks",
        (
            "<p>The Mugwort Low-pH Gel Cleanser (<strong>BOM-CL150</strong>) sold out faster than "
            "planned.</p><p>The next batch is being filled. It goes on sale again as soon as it "
            "has passed the quality check.</p>"
        ),
        64,
    ),
    DemoNotice(
        11,
        "Price adjustment on selected Pebble Theory items from next month",
        (
            "<p>The retail prices of the Retinal 0.1 line rise by <strong>4 "
            "%</strong>. Wholesale prices stay.</p><p>Orders requested before the "
            "change keep their prices for 7 days.</p>"
        ),
        47,
        files=(
            DemoFile(
                "pebble-theory-price-list.pdf",
                "Pebble Theory: retail prices from next month",
                (
                    "PEB-RT050   Retinal 0.1 Night Emulsion 50 ml   $44.00 to $45.76",
                    "PEB-RC050   Retinal 0.1 Cream 50 ml   plus 4 %",
                    "PEB-RS030   Retinal 0.1 Serum 30 ml   plus 4 %",
                ),
            ),
        ),
    ),
    DemoNotice(
        12,
        "How to read the export declaration question at checkout",
        "<p>Choose <strong>YES</strong> if your order must appear in the export "
        "declaration. Bank wires need it.</p>"
        '<p>Questions? Write to <a href="mailto:sales@portal.test">sales@portal.test</a>.</p>',
        29,
    ),
    DemoNotice(
        13,
        "Verdelune sun line: new EU labelling and updated cartons",
        (
            "<p>Sun Lune products ship in cartons with the new EU label from this "
            "week.</p><ul><li>Bar codes and SKUs are unchanged.</li><li>Cartons hold "
            "<strong>48</strong> pieces as before.</li><li>Old and new cartons may arrive "
            "together.</li></ul>"
        ),
        11,
    ),
    DemoNotice(
        14,
        "Shipping calendar: last pick-up dates before the holidays",
        (
            "<p>The last pick-ups before the holiday break are in the attached calendar. Orders "
            "that are <strong>confirmed and fully paid</strong> by then leave the warehouse the "
            "same week.</p><p>Orders received during the break are prepared right after it.</p>"
        ),
        3,
        files=(
            DemoFile(
                "shipping-calendar.pdf",
                "Shipping calendar",
                (
                    "Sea freight: last pick-up three weeks before the holidays.",
                    "Air freight: last pick-up ten days before the holidays.",
                    "Express parcels: last pick-up four days before the holidays.",
                ),
            ),
            DemoFile(
                "carrier-cut-off-times.pdf",
                "Carrier cut-off times",
                (
                    "Sea freight: Tuesday 12:00 KST",
                    "Air freight: daily 14:00 KST",
                    "Express parcels: daily 16:30 KST",
                ),
            ),
        ),
    ),
)
"""Every notice, by id."""
