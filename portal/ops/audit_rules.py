"""What must always hold of stock, money and history, as statements (reliability-and-security,
section 1). What a constraint of the database keeps is not asked.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Model

from apps.accounts.models import Company
from apps.catalog.models import Brand, Stock, StockHold
from apps.orders.models import LineProposal, Order, OrderEvent, TemporaryOrder, Wish
from apps.payments.models import BankCredit, Payment, WalletEntry, WireRefund
from apps.payments.states import FIRST, MOVES, UNSETTLED


def listed(values: Iterable[str]) -> str:
    """Return texts as a list of SQL."""
    return "(" + ", ".join(f"'{value}'" for value in sorted(values)) + ")"


# What the rules ask of payments, as a payment's life has it.
LISTS = {
    "moves": listed(
        [f">{first}" for first in FIRST]
        + [f"{before}>{after}" for before in MOVES for after in MOVES[before]]
    ),
    "unsettled": listed(UNSETTLED),
    # The key of the mail of a step
    "mail": """CASE e.to_status WHEN 0 THEN 'order_cancelled' WHEN 1 THEN 'order_received'
         WHEN 3 THEN 'order_confirmed%%' WHEN 4 THEN 'order_paid' ELSE 'order_shipped' END""",
}


@dataclass(frozen=True)
class Rule:
    """A rule of section 1 and the statement that names what breaks it: one text or number a row.

    It is asked in parts of the rows of a model: `{o.id in part}` stands where a column lies within
    one.
    """

    number: int
    text: str
    of: type[Model]
    sql: str
    since: bool = False


RULES = (
    Rule(
        1,
        "What is promised beyond the shelf is counted as short",
        Stock,
        """SELECT p.sku FROM catalog_stock s JOIN catalog_product p ON p.id = s.product_id
        WHERE {s.product_id in part} AND s.short <>
         CASE WHEN s.allocated > s.on_hand THEN s.allocated - s.on_hand ELSE 0 END""",
    ),
    Rule(
        1,
        (
            "Allocated pieces are those of open orders' lines, of holds, "
            "of open proposals and of offers"
        ),
        Stock,
        """SELECT p.sku FROM catalog_stock s JOIN catalog_product p ON p.id = s.product_id
        WHERE {s.product_id in part} AND s.allocated <>
         COALESCE((SELECT SUM(l.allocated) FROM orders_orderline l WHERE l.product_id = p.id), 0)
        + COALESCE((SELECT SUM(h.quantity) FROM catalog_stockhold h WHERE h.product_id = p.id), 0)
        + COALESCE((SELECT SUM(b.held) FROM orders_lineproposal b WHERE b.product_id = p.id
        AND b.held > 0), 0) + COALESCE((SELECT SUM(v.held) FROM orders_wish v
        WHERE v.product_id = p.id AND v.held > 0), 0)""",
    ),
    Rule(
        1,
        "What a wish was given is what orders and payments took of it",
        Wish,
        """SELECT v.id FROM orders_wish v
        WHERE {v.id in part}
        AND v.given <> COALESCE((SELECT SUM(g.pieces) FROM orders_givenpieces g
        WHERE g.wish_id = v.id), 0)""",
    ),
    Rule(
        1,
        "A shipped or cancelled order holds no stock, an open one holds what it will send",
        Order,
        """SELECT o.invoice_code FROM orders_order o JOIN orders_orderline l ON l.order_id = o.id
        WHERE {o.id in part} AND ((o.status IN (0, 5) AND l.allocated > 0)
        OR (o.status BETWEEN 1 AND 4 AND (l.is_confirmed OR l.price = 0)
        AND l.allocated <> l.quantity
         AND NOT (o.status = 1 AND l.allocated = 0 AND EXISTS
          (SELECT 1 FROM payments_payment p WHERE p.order_id = o.id AND p.kind = 'deposit'
          AND (p.reason = 'denied' OR p.state = 'refused' AND p.settled_by_id IS NULL))))
        OR (o.status BETWEEN 1 AND 4 AND NOT l.is_confirmed AND l.price > 0
        AND l.allocated <> 0))""",
    ),
    Rule(
        3,
        "An order's pieces are those of its lines as ordered",
        Order,
        """SELECT o.invoice_code FROM orders_order o WHERE {o.id in part} AND o.pieces <> COALESCE(
        (SELECT SUM(l.quantity) FROM orders_orderline l WHERE l.order_id = o.id
        AND l.is_ordered), 0)""",
    ),
    Rule(
        3,
        "A checked-out temporary order has its order",
        TemporaryOrder,
        """SELECT t.id FROM orders_temporaryorder t
        LEFT JOIN orders_order o ON o.temporary_order_id = t.id
        WHERE {t.id in part} AND (t.ordered_at IS NULL) <> (o.id IS NULL)""",
    ),
    Rule(
        3,
        "An order has the lines that it was placed with",
        Order,
        """SELECT o.invoice_code FROM orders_order o LEFT JOIN
        (SELECT order_id, COUNT(DISTINCT sku) AS n, SUM(price * quantity) AS total
        FROM orders_orderline
         WHERE is_ordered AND {order_id in part} GROUP BY order_id) l ON l.order_id = o.id
        WHERE {o.id in part} AND (l.n IS NULL OR l.n <> o.count
        OR ROUND(l.total - o.total, 2) <> 0)""",
    ),
    Rule(
        3,
        "The confirmed lines make the confirmed subtotal",
        Order,
        """SELECT o.invoice_code FROM orders_order o LEFT JOIN
        (SELECT order_id, SUM(price * quantity) AS total FROM orders_orderline
         WHERE is_confirmed AND {order_id in part} GROUP BY order_id) l
        ON l.order_id = o.id WHERE {o.id in part}
        AND ROUND(COALESCE(l.total, 0) - o.real_total, 2) <> 0""",
    ),
    Rule(
        3,
        "Proposals wait on preparing orders only, for the line as it was when they were made",
        LineProposal,
        """SELECT o.invoice_code FROM orders_lineproposal b JOIN orders_order o ON o.id = b.order_id
        JOIN orders_orderline l ON l.id = b.line_id
        WHERE {b.id in part} AND b.state = 'open'
        AND (o.status <> 2 OR NOT l.is_confirmed OR l.quantity <> b.ordered_pieces
         OR l.price <> b.ordered_price OR l.order_id <> o.id)""",
    ),
    Rule(
        3,
        "Every status that an order reached is in its history",
        Order,
        """SELECT o.invoice_code FROM orders_order o WHERE {o.id in part} AND (NOT EXISTS
        (SELECT 1 FROM orders_orderevent e WHERE e.order_id = o.id AND e.kind = 'status'
        AND e.to_status = o.status)
        OR NOT EXISTS
        (SELECT 1 FROM orders_orderevent e WHERE e.order_id = o.id AND e.kind = 'status'
        AND e.to_status = 1))""",
    ),
    Rule(
        3,
        "The running figures of statuses and months are those of a recount",
        Company,
        """SELECT CAST(t.company_id AS varchar(20)) || ' ' || t.bucket FROM orders_ordertally t
        LEFT JOIN
        (SELECT company_id, 'status:' || CAST(status AS varchar(2)) AS bucket, COUNT(*) AS n,
        SUM(total) AS total
         FROM orders_order WHERE status <> 0 AND {company_id in part} GROUP BY company_id, status
         UNION ALL SELECT company_id, 'month:' || month, COUNT(*), SUM(total)
         FROM orders_order WHERE status <> 0 AND {company_id in part} GROUP BY company_id, month) o
        ON o.company_id = t.company_id AND o.bucket = t.bucket
        WHERE {t.company_id in part}
        AND (t.count <> COALESCE(o.n, 0) OR ROUND(t.total - COALESCE(o.total, 0), 2) <> 0)""",
    ),
    Rule(
        3,
        "Every order is in the running figures",
        Order,
        """SELECT o.invoice_code FROM orders_order o WHERE {o.id in part} AND o.status <> 0 AND
        (SELECT COUNT(*) FROM orders_ordertally t WHERE t.company_id = o.company_id
         AND t.bucket IN ('status:' || CAST(o.status AS varchar(2)), 'month:' || o.month)) <> 2""",
    ),
    Rule(
        3,
        "The counters of brands are those of a recount",
        Brand,
        """SELECT b.eng FROM catalog_brand b
        WHERE {b.id in part} AND b.product_count <> (SELECT COUNT(*) FROM catalog_product p
         WHERE p.brand_id = b.id AND p.is_running <> 3)""",
    ),
    Rule(
        4,
        (
            "What an order has received is what its payments brought, less what was moved to "
            "another or refunded"
        ),
        Order,
        """SELECT o.invoice_code FROM orders_order o LEFT JOIN
        (SELECT order_id, SUM(received - moved) AS everything,
         SUM(CASE WHEN kind = 'deposit' THEN received - moved ELSE 0 END) AS deposit
         FROM (SELECT order_id, kind, received, COALESCE((SELECT SUM(m.amount)
         FROM payments_wiremove m
          WHERE m.source_id = b.id), 0) + COALESCE((SELECT SUM(r.amount) FROM payments_wirerefund r
          WHERE r.payment_id = b.id), 0) AS moved FROM payments_payment b
          WHERE {b.order_id in part}) kept GROUP BY order_id) p
        ON p.order_id = o.id
        WHERE {o.id in part} AND (ROUND(o.received - COALESCE(p.everything, 0), 2) <> 0
        OR ROUND(o.deposit_received - COALESCE(p.deposit, 0), 2) <> 0)""",
    ),
    Rule(
        4,
        (
            "Money is received on evidence: a payment's history leads to "
            "its state, by moves that its life has"
        ),
        Payment,
        """SELECT p.invoice_code FROM payments_payment p WHERE {p.id in part}
         AND p.state <> COALESCE(
         (SELECT e.to_state FROM payments_paymentevent e WHERE e.payment_id = p.id
         ORDER BY e.id DESC LIMIT 1), 'announced')
        UNION SELECT p.invoice_code FROM payments_paymentevent e
        JOIN payments_payment p ON p.id = e.payment_id
        WHERE {e.payment_id in part}
        AND ((e.from_state <> e.to_state AND e.from_state || '>' || e.to_state NOT IN {moves})
        OR e.from_state <> COALESCE(
         (SELECT b.to_state FROM payments_paymentevent b WHERE b.payment_id = e.payment_id
         AND b.id < e.id
          ORDER BY b.id DESC LIMIT 1), CASE WHEN e.from_state = 'announced' THEN 'announced'
          ELSE '' END))""",
    ),
    Rule(
        4,
        "Money that PayPal took has its order and its receipt, or is held in sight of staff",
        Payment,
        """SELECT p.invoice_code FROM payments_payment p WHERE {p.id in part}
        AND p.method = 'PAYPAL' AND ((p.state IN ('captured', 'partially_refunded')
        AND (p.order_id IS NULL OR p.sale_id IS NULL))
        OR (p.state = 'captured' AND ROUND(p.received - (COALESCE(p.taken, p.amount) - p.fee),
        2) <> 0)
        OR (p.state = 'pending' AND p.order_id IS NULL)
        OR (p.state = 'held' AND p.alarm = ''))""",
    ),
    Rule(
        4,
        "No more is sent back of a payment than it brought, and a payment sent back whole says so",
        Payment,
        """SELECT p.invoice_code FROM payments_payment p JOIN
        (SELECT payment_id, SUM(amount) AS everything, SUM(CASE WHEN state = 'completed' THEN amount
        ELSE 0 END) AS done
         FROM payments_refund WHERE state <> 'failed' AND {payment_id in part}
         GROUP BY payment_id) r
        ON r.payment_id = p.id
        WHERE {p.id in part} AND (ROUND(r.everything - COALESCE(p.taken, p.amount), 2) > 0
        OR (ROUND(r.done - COALESCE(p.taken, p.amount), 2) = 0 AND p.state <> 'refunded'))""",
    ),
    Rule(
        4,
        "What is held until a payment settles has a payment that is not settled",
        StockHold,
        """SELECT h.invoice_code FROM catalog_stockhold h WHERE {h.id in part}
        AND h.expires_at IS NULL AND NOT EXISTS
        (SELECT 1 FROM payments_payment p WHERE p.invoice_code = h.invoice_code
        AND p.method = 'PAYPAL'
         AND p.state IN {unsettled})""",
    ),
    Rule(
        4,
        "No company has spent more than its credit",
        Company,
        """SELECT company_id FROM payments_walletentry
        WHERE {company_id in part}
        GROUP BY company_id HAVING ROUND(SUM(amount), 2) < 0""",
    ),
    Rule(
        4,
        "What was spent of a wallet is a payment",
        Order,
        """SELECT o.invoice_code FROM orders_order o LEFT JOIN
        (SELECT order_id, SUM(amount) AS total FROM payments_walletentry
         WHERE kind = 'use' AND {order_id in part} GROUP BY order_id) w ON w.order_id = o.id
         LEFT JOIN
        (SELECT order_id, SUM(amount) AS total FROM payments_payment
         WHERE method = 'WALLET' AND {order_id in part} GROUP BY order_id) p
        ON p.order_id = o.id WHERE {o.id in part}
        AND ROUND(COALESCE(w.total, 0) + COALESCE(p.total, 0), 2) <> 0""",
    ),
    Rule(
        4,
        "What an order gave back is what the ledger credited",
        Order,
        """SELECT o.invoice_code FROM orders_order o LEFT JOIN
        (SELECT order_id, SUM(amount) AS total FROM payments_walletentry
         WHERE kind NOT IN ('use', 'refund') AND {order_id in part} GROUP BY order_id) w
        ON w.order_id = o.id WHERE {o.id in part}
        AND ROUND(o.credited - COALESCE(w.total, 0), 2) <> 0""",
    ),
    Rule(
        4,
        (
            "A credit of the bank is booked whole or not at all, and what "
            "of it goes back is owed by bank"
        ),
        BankCredit,
        """SELECT c.id FROM payments_bankcredit c LEFT JOIN
        (SELECT bank_credit_id, SUM(received) AS total FROM payments_payment
         WHERE {bank_credit_id in part} GROUP BY bank_credit_id) b
        ON b.bank_credit_id = c.id LEFT JOIN payments_banktransfer t ON t.credit_id = c.id
        WHERE {c.id in part}
        AND ((c.sent_back_at IS NULL) <> (t.id IS NULL) OR c.amount <> COALESCE(t.amount, c.amount)
        OR (c.booked_at IS NULL) <> (b.total IS NULL)
        OR ROUND(COALESCE(b.total, c.amount) - c.amount, 2) <> 0)""",
    ),
    Rule(
        4,
        (
            "A paid order has nothing due unless a wire was moved away, and nothing more is given "
            "back than was received"
        ),
        Order,
        """SELECT o.invoice_code FROM orders_order o
        WHERE {o.id in part}
        AND ((o.status IN (4, 5)
         AND ROUND(o.real_total + o.shipping_fee - o.received + o.credited - o.written_off, 2) > 0
         AND NOT EXISTS (SELECT 1 FROM payments_wiremove m
         JOIN payments_payment p ON p.id = m.source_id
          WHERE p.order_id = o.id))
        OR ROUND(o.credited - o.received, 2) > 0)""",
    ),
    Rule(
        4,
        (
            "No more is moved and refunded of a wire than it brought, "
            "and what is moved is what arrives"
        ),
        Payment,
        """SELECT p.invoice_code FROM payments_payment p JOIN
        (SELECT source_id, SUM(amount) AS total FROM (SELECT source_id, amount
        FROM payments_wiremove
          WHERE {source_id in part} UNION ALL SELECT payment_id, amount FROM payments_wirerefund
          WHERE {payment_id in part}) gone GROUP BY source_id) m ON m.source_id = p.id
        WHERE {p.id in part} AND ROUND(m.total - p.received, 2) > 0
        UNION SELECT p.invoice_code FROM payments_wiremove m
        JOIN payments_payment p ON p.id = m.target_id
        WHERE {p.id in part} AND (ROUND(m.amount - p.received, 2) <> 0 OR p.method <> 'T/T')""",
    ),
    Rule(
        4,
        (
            "What was refunded to the wallet is in the ledger, and "
            "nothing else is called a refund there"
        ),
        WalletEntry,
        """SELECT w.id FROM payments_walletentry w
        LEFT JOIN payments_wirerefund r
        ON r.entry_id = w.id WHERE {w.id in part}
        AND ((w.kind = 'refund') <> (r.id IS NOT NULL) OR ROUND(w.amount - r.amount, 2) <> 0)""",
    ),
    Rule(
        4,
        "What is owed by bank of a wallet left it, and is of no order",
        WalletEntry,
        """SELECT w.id FROM payments_walletentry w
        LEFT JOIN payments_banktransfer t
        ON t.entry_id = w.id WHERE {w.id in part} AND ((w.kind = 'paid_out') <> (t.id IS NOT NULL)
        OR (w.kind = 'paid_out' AND (w.amount > 0 OR w.order_id IS NOT NULL
        OR ROUND(w.amount + t.amount, 2) <> 0)))""",
    ),
    Rule(
        4,
        "A refund of a wire is in the wallet or owed by bank, whole and to the company that paid",
        WireRefund,
        """SELECT r.id FROM payments_wirerefund r
        JOIN payments_payment p ON p.id = r.payment_id
        LEFT JOIN payments_banktransfer t ON t.refund_id = r.id WHERE {r.id in part}
        AND ((r.entry_id IS NULL) <> (t.id IS NOT NULL)
        OR ROUND(r.amount - COALESCE(t.amount, r.amount), 2) <> 0
        OR t.company_id <> p.company_id)""",
    ),
    Rule(
        5,
        "The mail of every step of the last day is a row",
        OrderEvent,
        """SELECT o.invoice_code FROM orders_orderevent e JOIN orders_order o ON o.id = e.order_id
        WHERE {e.id in part} AND e.kind = 'status' AND e.to_status <> 2 AND e.at >= %s
        AND o.former_number = ''
        AND NOT EXISTS
        (SELECT 1 FROM post_office_email m WHERE m.subject IN (SELECT
         CASE e.to_status WHEN 0 THEN 'Order cancelled' WHEN 1 THEN 'Order received'
         WHEN 3 THEN 'Order confirmed' WHEN 4 THEN 'Payment completed'
         ELSE 'Order shipped' END || ': ' || o.invoice_code
         UNION ALL SELECT t.subject || ': ' || o.invoice_code FROM common_mailtext t
         WHERE t.key LIKE {mail}))
        AND NOT EXISTS (SELECT 1 FROM common_mailtext t JOIN post_office_email m
         ON m.subject LIKE '%%: ' || o.invoice_code
         WHERE t.subject LIKE '%%{{%%' AND t.key LIKE {mail})""",
        since=True,
    ),
    Rule(
        6,
        "An order belongs to the company of the user who placed it",
        Order,
        """SELECT o.invoice_code FROM orders_order o JOIN accounts_user u ON u.id = o.user_id
        WHERE {o.id in part} AND (u.company_id IS NULL OR u.company_id <> o.company_id)""",
    ),
    Rule(
        6,
        "Payments and ledger entries belong to the company of their order",
        Order,
        """SELECT o.invoice_code FROM orders_order o JOIN payments_payment p ON p.order_id = o.id
        WHERE {o.id in part} AND (p.company_id <> o.company_id OR p.invoice_code <> o.invoice_code)
        UNION SELECT o.invoice_code FROM orders_order o
        JOIN payments_walletentry w ON w.order_id = o.id
        WHERE {o.id in part} AND w.company_id <> o.company_id""",
    ),
    Rule(
        6,
        "Only staff and the company's own people changed an order",
        OrderEvent,
        """SELECT o.invoice_code FROM orders_orderevent e JOIN orders_order o ON o.id = e.order_id
        JOIN accounts_user u ON u.id = e.actor_id
        WHERE {e.id in part} AND NOT u.is_staff AND (u.company_id IS NULL
        OR u.company_id <> o.company_id)""",
    ),
)
