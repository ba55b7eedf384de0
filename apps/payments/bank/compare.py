"""How well a statement's credits are matched, kept in the database, which counts, pages and
searches them.
"""

from hashlib import sha256
from typing import Any

from django.conf import settings
from django.db.models import Count, Q, Sum
from django.db.models.functions import Length

from apps.common.db.transactions import one_transaction
from apps.payments.bank.claims import open_claims
from apps.payments.bank.lines import USD
from apps.payments.bank.matching import Book
from apps.payments.models import BankStatement, CreditMatch

# Raised where matching says something else of the same credits, so that kept matches are found anew
MATCHING = 2
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
    # A credit's words only ever grow (`take_in`): their length says whether they have changed.
    words = Length("text") + Length("debtor")
    state = (
        statement.credits.filter(OPEN)
        .order_by()
        .aggregate(count=Count("pk"), which=Sum("pk"), words=Sum(words))
    )
    told = [MATCHING, settings.INVOICE_PREFIX, *state.values()]
    told += [value for claim in claims for value in vars(claim).values()]
    seen = sha256("\n".join(map(str, told)).encode()).hexdigest()
    if statement.compared != seen:
        _keep(statement.pk, book, seen)
        statement.compared = seen
    return book


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
        choice = match.chosen.token if match.chosen else ""
        if kept.get(credit.pk) != (match.kind, choice):
            changed.append(
                CreditMatch(
                    statement=statement, credit_id=credit.pk, kind=match.kind, choice=choice
                )
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
