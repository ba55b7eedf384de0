"""How well a statement's credits are matched, kept in the database, which counts, pages and
searches them.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.db.models import Count, Q, Sum
from django.db.models.functions import Length

from apps.common.db.transactions import one_transaction
from apps.payments.bank.claims import open_claims
from apps.payments.bank.matching import Book, Claim
from apps.payments.bank.statements import USD
from apps.payments.models import BankStatement, CreditMatch

# Raised where matching says something else of the same credits, so that kept matches are found anew
MATCHING = 1
BATCH = 500
UNSETTLED = Q(booked_at__isnull=True, sent_back_at__isnull=True)
OPEN = UNSETTLED & Q(currency=USD, like=None)


def compare(statement: BankStatement) -> Book:
    """Keep how well each open credit of a statement is matched, and return what it was compared
    with.

    Credits are compared anew only where what is asked for, or the open credits, are not what they
    were. Four statements where nothing has changed.
    """
    claims = open_claims()
    book = Book(claims, settings.INVOICE_PREFIX)
    seen = _fingerprint(statement, claims)
    if statement.compared != seen:
        _keep(statement.pk, book, seen)
        statement.compared = seen
    return book


def _fingerprint(statement: BankStatement, claims: Iterable[Claim]) -> str:
    # A credit's words only ever grow (`take_in`), so that their length says whether they have
    # changed.
    credits = statement.credits.filter(OPEN).order_by()
    said = Length("text") + Length("debtor")
    state = credits.aggregate(count=Count("pk"), which=Sum("pk"), said=Sum(said))
    told = [str(MATCHING), settings.INVOICE_PREFIX, *(f"{value}" for value in state.values())]
    for claim in claims:
        what = (claim.order_id, claim.payment_id, claim.invoice_code, claim.kind, claim.amount)
        who = (claim.company_id, claim.company, claim.depositor)
        told.append("\t".join(map(str, (*what, *who))))
    return sha256("\n".join(told).encode()).hexdigest()


@one_transaction
def _keep(statement_id: int, book: Book, seen: str) -> None:
    """Write the matches that are not what they were; whoever opens the same statement meanwhile
    waits.
    """
    statement = BankStatement.objects.select_for_update().get(pk=statement_id)
    if statement.compared == seen:
        return
    credits: list[Any] = list(
        statement.credits.filter(OPEN).values_list("pk", "amount", "debtor", "text", named=True)
    )
    kept = {
        pk: (kind, choice)
        for pk, kind, choice in statement.matches.values_list("credit", "kind", "choice")
    }
    changed = []
    for credit, match in zip(credits, book.match_all(credits), strict=True):
        kind, choice = CreditMatch.Kind[match.kind.name], match.chosen.token if match.chosen else ""
        if kept.get(credit.pk) != (kind, choice):
            changed.append(
                CreditMatch(statement=statement, credit_id=credit.pk, kind=kind, choice=choice)
            )
    CreditMatch.objects.bulk_create(
        changed,
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["statement", "credit"],
        update_fields=["kind", "choice"],
    )
    statement.compared = seen
    statement.save(update_fields=["compared"])
