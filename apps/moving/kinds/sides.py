"""Which side balances are on: what a seller owes a customer, or what the customer owes."""

import re
from collections.abc import Sequence

WE_OWE, THEY_OWE = "credit", "debt"
UNSAID = "unsaid"  # a legend that does not say it in words that are known
CREDIT_WORDS = re.compile(
    r"예치금|선수금|선입금|적립|우리가\s*줄|(?<![이가에게]\s)줄\s*돈|돌려줄|환불\s*예정|크레딧|credit"
    r"|deposit|wallet|prepaid|\bwe (owe|hold)\b|their money"
    r"|(owed|due|payable) to (the )?(customer|client|buyer|them)",
    re.IGNORECASE,
)
DEBT_WORDS = re.compile(
    r"미수|받을\s*(돈|금액)|외상|채권|대손|(고객|거래처|업체|바이어)[이가]\s*(우리에게\s*)?(줄|낼)"
    r"|receivable|outstanding|\b(owe[sd]?|pays?|due|payable)( to)? us\b|overdue"
    r"|(owed by|due from)\b|(?-i:(?<![A-Za-z])A/?R(?![A-Za-z]))",
    re.IGNORECASE,
)
# A sign in a legend. A bare one counts only where both have a side: `AR + credit` is a title.
SIGN = re.compile(
    r"(?P<plus>[(（\[]\s*[+＋]\s*(amounts?|balances?|금액|잔액)?\s*[)）\]]|[+＋]\s*[:=：]"
    r"|\b(plus|positive)\b|플러스|양수)"
    r"|(?P<minus>[(（\[]\s*[-−–—－]\s*(amounts?|balances?|금액|잔액)?\s*[)）\]]|[-−–—－]\s*[:=：]"
    r"|\b(minus|negative|(in )?brackets|(in )?parenthes[ei]s)\b|마이너스|음수|괄호)"
    r"|(?P<bare_plus>(?<!\S)[(（]?[+＋](?=\s*[^\W\d]))"
    r"|(?P<bare_minus>(?<!\S)[-−–—－](?=\s*[^\W\d]))",
    re.IGNORECASE,
)


def side_in(text: str) -> str:
    """Return which side a text is about; empty for both or neither."""
    credit, debt = CREDIT_WORDS.search(text), DEBT_WORDS.search(text)
    if credit and not debt:
        return WE_OWE
    return THEY_OWE if debt and not credit else ""


def legend_side(lines: Sequence[str]) -> str:
    """Return which side is above zero as a legend says: `(+) they owe us (−) we owe`, or with the
    signs behind the words; UNSAID for a legend that does not say it, empty for no legend.
    """
    text = "\n".join(line for line in lines if SIGN.search(line))
    signs = list(SIGN.finditer(text))
    if not signs:
        return ""
    is_certain = any(sign["plus"] or sign["minus"] for sign in signs)
    edges = [0, *(edge for sign in signs for edge in sign.span()), len(text)]
    words = [text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]
    readings = [_reading(signs, words[1:]), _reading(signs, words[:-1])]
    most = max(count for count, _side in readings)
    sides = {side for count, side in readings if count == most}
    if len(sides) == 1 and most >= (1 if is_certain else 2):
        return sides.pop()
    return UNSAID if is_certain or most > 1 else ""


def _reading(signs: Sequence[re.Match[str]], words: Sequence[str]) -> tuple[int, str]:
    """Return how many of the signs have a side, each by the words at it, and which is above zero;
    0 for signs that contradict each other.
    """
    said = {"+": "", "-": ""}
    for sign, text in zip(signs, words, strict=True):
        key, side = "+" if sign["plus"] or sign["bare_plus"] else "-", side_in(text)
        if side and said[key] not in ("", side):
            return 0, ""
        said[key] = side or said[key]
    below = {WE_OWE: THEY_OWE, THEY_OWE: WE_OWE, "": ""}[said["-"]]
    if said["+"] and below and said["+"] != below:
        return 0, ""
    return bool(said["+"]) + bool(below), said["+"] or below
