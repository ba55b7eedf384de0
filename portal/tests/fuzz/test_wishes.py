"""Random days of wishes and arrivals against a plain model: who is offered what, for how long, and
told how often.

With `make fuzz` their share of the calls is replayed, in months of their own; else half a month.
"""

import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from post_office.models import Email

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import buyer_of, make_company, make_user
from apps.catalog.models import Product, Stock
from apps.catalog.services import stock
from apps.catalog.tests.factories import make_product
from apps.common.days import business_days_later
from apps.orders.errors import NotSoldOut
from apps.orders.models import Wish
from apps.orders.services.wishes import drop_wish, wish_for
from apps.orders.sweeps import pass_offers_on
from apps.orders.tests.factories import make_order, make_sales
from apps.payments.tests.paypal.support import audit
from portal.tests.fuzz.size import REQUESTS, chance_of, share

NOW = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)
SEED = 20261119
DAYS, DEEDS, MOQ = 30 if REQUESTS else 15, 8, 10


def until(now: datetime) -> datetime:
    return business_days_later(now, settings.PROMISED_DAYS["offer"])


@dataclass
class Wished:
    """A wish as the model knows it."""

    pk: int
    buyer: Buyer
    product: int
    pieces: int
    since: datetime
    given: int = 0
    dropped: int = 0
    expired: int = 0
    held: int = 0
    ends: datetime = NOW
    told: bool = False

    @property
    def open(self) -> int:
        return self.pieces - self.given - self.dropped - self.expired


@dataclass
class Model:
    """What should be: the shelf, what is promised of it, the wishes, the mails."""

    shelf: dict[int, int]
    promised: dict[int, int]
    away: set[int] = field(default_factory=set)
    wishes: list[Wished] = field(default_factory=list)
    mails: set[tuple[int, str]] = field(default_factory=set)

    def offer(
        self, product: int, pieces: int, now: datetime, passed_by: tuple[int, ...] = ()
    ) -> None:
        """Give an arrival to the oldest entitled, one piece after the other."""
        queue = [one for one in self.wishes if one.product == product and one.pk not in passed_by]
        queue.sort(key=lambda one: (one.since, one.pk))
        for _ in range(pieces):
            waiting = (one for one in queue if one.open > one.held)
            first = next((one for one in waiting if one.buyer.id not in self.away), None)
            if first is None or self.promised[product] >= self.shelf[product]:
                return
            first.held, first.ends, first.told = first.held + 1, until(now), False
            self.promised[product] += 1

    def pass_on(self, now: datetime) -> None:
        """Let offers lapse, product by product, then mail each buyer at most once a day."""
        for product in sorted(self.shelf):
            wished = [one for one in self.wishes if one.product == product]
            late = [one for one in wished if one.held and one.ends <= now]
            freed = sum(one.held for one in late)
            self.promised[product] -= freed
            for one in late:
                one.expired, one.held, one.told = one.expired + one.held, 0, False
            self.offer(product, freed, now, tuple(one.pk for one in late))
        day = timezone.localtime(now).date().isoformat()
        for user in sorted({one.buyer.id for one in self.wishes if one.held and not one.told}):
            if (user, day) in self.mails:
                continue
            self.mails.add((user, day))
            for one in self.wishes:
                if one.buyer.id == user and one.held and not one.told:
                    one.told, one.ends = True, until(now)


class Month:
    """Days on which buyers wish, order and drop, and goods come in, at random."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.now, self.sales = chance, NOW, make_sales()
        companies = [make_company() for _ in range(3)]
        self.buyers = [
            buyer_of(make_user(company=company)) for company in companies for _ in range(2)
        ]
        self.products: list[Product] = [make_product(on_hand=0) for _ in range(3)]
        self.model = Model(dict.fromkeys(self.keys(), 0), dict.fromkeys(self.keys(), 0))

    def keys(self) -> list[int]:
        return [product.pk for product in self.products]

    def play(self) -> None:
        """Play a month; after each day the portal is as the model."""
        often = {self.wish: 6, self.arrive: 3, self.buy: 3, self.order: 2}
        often |= dict.fromkeys((self.drop, self.leave), 1)
        for _ in range(DAYS):
            for _ in range(self.chance.randint(1, DEEDS)):
                self.now += timedelta(minutes=7)
                self.chance.choices(list(often), list(often.values()))[0]()
                if self.chance.random() < 0.5:
                    self.sweep()
            self.sweep()
            self.check()
            self.now = self.now.replace(hour=3, minute=0) + timedelta(days=1)

    def wish(self) -> None:
        buyer, product = self.chance.choice(self.buyers), self.chance.choice(self.products)
        pieces, which = self.pieces(), (buyer, product.pk)
        open_ = (one for one in self.model.wishes if one.open)
        wish_known = next((one for one in open_ if (one.buyer, one.product) == which), None)
        free = self.model.shelf[product.pk] - self.model.promised[product.pk]
        if free >= MOQ:
            with pytest.raises(NotSoldOut):
                wish_for(buyer=buyer, sku=product.sku, pieces=pieces, now=self.now)
            return
        new_wish = wish_for(buyer=buyer, sku=product.sku, pieces=pieces, now=self.now)
        if wish_known is None:
            self.model.wishes.append(Wished(new_wish.pk, buyer, product.pk, pieces, self.now))
            return
        wish_known.since = self.now if pieces > wish_known.open else wish_known.since
        wish_known.pieces += max(pieces, wish_known.held) - wish_known.open

    def arrive(self) -> None:
        product, pieces = self.chance.choice(self.products), self.pieces()
        why: dict[str, Any] = {"reason": "Delivery", "actor": self.sales, "now": self.now}
        stock.receive(product_id=product.pk, pieces=pieces, **why)
        self.model.shelf[product.pk] += pieces
        self.model.offer(product.pk, pieces, self.now)

    def order(self) -> None:
        """Order some of what is held for a company: its oldest wishes are given theirs."""
        offers = [one for one in self.model.wishes if one.held]
        ours = [one for one in offers if one.buyer.id not in self.model.away]
        if not ours:
            return
        one = self.chance.choice(ours)
        which = one.buyer.company_id, one.product
        same = [wish for wish in offers if (wish.buyer.company_id, wish.product) == which]
        rest = pieces = self.chance.randint(1, sum(w.held for w in same))
        make_order(one.buyer, [(Product.objects.get(pk=one.product), pieces)], now=self.now)
        for wish in sorted(same, key=lambda w: (w.since, w.pk)):
            some = min(rest, wish.held)
            rest, wish.held, wish.given = rest - some, wish.held - some, wish.given + some
            wish.told = wish.told and wish.held > 0

    def drop(self) -> None:
        if not (waiting := [one for one in self.model.wishes if one.open]):
            return
        one = self.chance.choice(waiting)
        drop_wish(buyer=one.buyer, wish_id=one.pk, now=self.now)
        freed, one.dropped = one.held, one.dropped + one.open
        one.held, one.told = 0, False
        self.model.promised[one.product] -= freed
        self.model.offer(one.product, freed, self.now)

    def buy(self) -> None:
        """Somebody else orders what nobody waits for."""
        product = self.chance.choice(self.products)
        if pieces := (self.model.shelf[product.pk] - self.model.promised[product.pk]) // MOQ * MOQ:
            make_order(buyer_of(make_user()), [(product, pieces)], now=self.now)
            self.model.promised[product.pk] += pieces

    def leave(self) -> None:
        """A buyer may not come in any more, or may again."""
        buyer = self.chance.choice(self.buyers)
        self.model.away ^= {buyer.id}
        User.objects.filter(pk=buyer.id).update(is_active=buyer.id not in self.model.away)

    def sweep(self) -> None:
        pass_offers_on(self.now)
        self.model.pass_on(self.now)

    def pieces(self) -> int:
        return self.chance.randint(1, 40)

    def check(self) -> None:
        columns = ("pk", "pieces", "given", "dropped", "expired", "held")
        real = Wish.objects.filter(product__in=self.products).values_list(*columns)
        wished = {tuple(getattr(wish, name) for name in columns) for wish in self.model.wishes}
        assert set(real) == wished
        shelves = Stock.objects.filter(product__in=self.products)
        figures = {(key, self.model.shelf[key], self.model.promised[key]) for key in self.keys()}
        assert set(shelves.values_list("product_id", "on_hand", "allocated")) == figures
        told = User.objects.filter(offers_told_on__isnull=False, pk__in=[b.id for b in self.buyers])
        last = {user: day.isoformat() for user, day in told.values_list("pk", "offers_told_on")}
        assert last == dict(sorted(self.model.mails))
        mails = Email.objects.filter(to__in=[buyer.email for buyer in self.buyers])
        sent = mails.filter(subject__icontains="reserved for you").count()
        assert sent == len(self.model.mails)


@pytest.mark.django_db
def test_arrivals_go_to_the_oldest_entitled_and_nobody_is_told_twice_a_day(
    tally: Counter[str], request: pytest.FixtureRequest
) -> None:
    chance, offered, expired = chance_of(request, SEED), 0, 0
    for _ in range(share(1)):
        with transaction.atomic():
            month = Month(chance)
            month.play()
            tally["days of wishes"] += DAYS
            assert [line for line in audit().splitlines() if line.startswith("1.")] == []
            offered += sum(wish.given for wish in month.model.wishes)
            expired += sum(wish.expired for wish in month.model.wishes)
            transaction.set_rollback(True)
    assert min(offered, expired) > 0
