"""Texts of the staff's pages: `python -m tools.texts [PATH…]` compiles their Korean, and lists what
is not marked, has no Korean, or is used no more.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

import django
import polib
import pycountry
from django.template.base import Lexer, TokenType
from django.utils.translation.template import templatize

from portal.ops.steps import say
from portal.ops.texts import CATALOGUES, ROOT, compile_texts

SCRIPTS = ROOT / "frontend" / "staff" / "locale" / "ko.po"
PAGES = (
    "apps/*/admin.py",
    "apps/*/admin/**/*.py",
    "apps/common/filters.py",
    "apps/common/staff*.py",
    "portal/admin.py",
    "portal/staff/**/*.py",
)
BUYERS = "apps/orders/admin/as_buyer.py"  # says what buyers read
# Mails to staff among them.
TEMPLATES = (
    *("templates/admin/**/*", "templates/registration/*", "templates/staff/**/*"),
    *(f"templates/mail/{name}.*" for name in ("base", "order", "plain", "registration_waits")),
)
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w*\}")
PARTICLE = re.compile(
    r"(?:%\(\w+\)[sd]|\{\w*\})[”’]?"
    r"(?:(?:을|를|이|가|은|는|와|과|로|으로)(?=[\s.,;]|$)|[이은을]?\([가는를으]\))"
)
CASUAL = re.compile(r"(?:세요|[가까나어해]요)(?=[\s.,?]|$)")  # sentences end in -습니다, -십시오
STRING = r"u?(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
MARK = re.compile(rf"\b(_|n?p?gettext)\(((?:(?:, )?{STRING})+)")
SCRIPT_MARK = re.compile(rf"\bt\(\s*({STRING})")
SCRIPT_STRING = rf"(?:{STRING}|`[^`]*`)"
# Of a script: its remarks, what is marked, errors for its makers, and values of fields.
UNREAD = re.compile(rf"/\*.*?\*/|//[^\n]*|(?:\bt\(|\bError\(|\.value = )\s*{SCRIPT_STRING}", re.S)
WORD = re.compile(r"[A-Za-z]{2}")
DOORS = ("django.utils.translation", "apps.common.texts")  # where `gettext` comes from
# What is the same in every language, and headers of HTTP.
SAME = re.compile(
    r"&\w+;|https?:\S*|\b(CBM|CSV|Ctrl|EAN|English|Enter|HH|HS|HTML|ID|Lax|Location|MM|MOQ|None"
    r"|Origin|PDF|PO|PayPal|QR|Referer|SKU|SS|T/T|True|USD|USRP|XLSX?|ZIP|cm|kg|px)\b"
)
SHOWN_ATTRIBUTES = {"aria-label", "aria-description", "placeholder", "title", "alt"}
SPOKEN = re.compile(r"[“(]?[A-Z][a-z]+(?![\w-])[^_|]*$")
GLUED = re.compile(r"[^_]*([a-z]{3} | [a-z]{3})[^_]*$")  # a part of an f-string
LITERAL = re.compile(rf"^\w+=({STRING})$|\|(?:default|default_if_none|yesno):({STRING})")


class Used(NamedTuple):
    """A text that is marked, with what tells it from others alike."""

    context: str | None
    text: str


def sources(*patterns: str) -> list[Path]:
    """Return the sources, without tests and the demo."""
    paths = {path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file()}
    skipped = {"tests", "demo", "migrations"}
    return sorted(path for path in paths if not skipped & set(path.relative_to(ROOT).parts))


def marked() -> Iterator[tuple[Path, Used]]:
    """Yield every text that is marked, with where."""
    for path in sources("apps/**/*.py", "portal/**/*.py"):
        for kind, arguments in marked_in_python(ast.parse(path.read_text())):
            yield path, _used(kind, arguments)
    for path in sources("templates/**/*.html", "templates/**/*.txt"):
        for kind, literals in MARK.findall(templatize(path.read_text())):
            yield path, _used(kind, list(ast.literal_eval(f"({literals},)")))
    for country in pycountry.countries:  # what the database calls it
        name = getattr(country, "common_name", country.name)
        yield ROOT / "apps/accounts/models.py", Used(None, name)


def scripts() -> list[Path]:
    """Return the scripts of the staff's pages."""
    return [path for path in sources("frontend/staff/**/*.ts") if ".test." not in path.name]


def marked_in_script() -> Iterator[tuple[Path, Used]]:
    """Yield every text that a script of the staff's marks."""
    for path in scripts():
        for text in SCRIPT_MARK.findall(path.read_text()):
            yield path, Used(None, ast.literal_eval(text))


def marked_in_python(tree: ast.Module) -> Iterator[tuple[str, list[str]]]:
    """Yield the calls of gettext in a module, with their texts."""
    names = {"Text": "gettext", "phrase": "gettext", "_": "gettext"}  # also where `_` only marks
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in DOORS:
            words = [one for one in node.names if "gettext" in one.name]
            names |= {one.asname or one.name: one.name.partition("_")[0] for one in words}
        if isinstance(node, ast.Call) and (kind := names.get(getattr(node.func, "id", ""))):
            arguments = [one.value for one in node.args if isinstance(one, ast.Constant)]
            texts = [one for one in arguments if isinstance(one, str)]
            if len(texts) > ("pg" in kind):  # a text in a variable is marked elsewhere
                yield kind, texts


def _used(kind: str, arguments: list[str]) -> Used:
    return Used(*arguments[:2]) if "pg" in kind else Used(None, arguments[0])


class Bare(HTMLParser):
    """Finds the words of a page that are not marked."""

    def __init__(self) -> None:
        super().__init__()
        self.bare_texts: list[str] = []
        self.english: list[str] = []  # an element that is English everywhere, and those alike in it

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at what an element shows of itself, or hands to a script."""
        if ("lang", "en") in attrs or tag in self.english:
            self.english.append(tag)
        for name, value in attrs:
            if name in SHOWN_ATTRIBUTES or (name.startswith("data-") and SPOKEN.match(value or "")):
                self.handle_data(value or "")

    def handle_endtag(self, tag: str) -> None:
        """End what is English everywhere."""
        if tag in self.english:
            self.english.pop()

    def handle_data(self, data: str) -> None:
        """Note a text that has words."""
        is_quiet = self.english or self.cdata_elem
        if not is_quiet and WORD.search(SAME.sub("", data)):
            self.bare_texts.append(" ".join(data.split()))


def bare_in_template(source: str) -> list[str]:
    """Return the words of a template that are not marked."""
    page, until = Bare(), ""
    for token in Lexer(source).tokenize():
        name = token.contents.partition(" ")[0]
        if until or token.token_type == TokenType.COMMENT:
            until = "" if name == until else until
        elif token.token_type == TokenType.TEXT:
            page.feed(token.contents)
        else:
            until = f"end{name}" if name in ("blocktranslate", "comment") else ""
            until = "endblock" if token.contents == "block bodyclass" else until
            literals = [text for part in token.split_contents() for text in LITERAL.findall(part)]
            page.bare_texts += [
                text for one in literals for text in one if SPOKEN.match(text[1:-1])
            ]
            page.bare_texts += [token.contents] if "|pluralize" in token.contents else []
    page.close()
    return page.bare_texts


def bare_in_script(source: str) -> list[str]:
    """Return the sentences of a script that are not marked."""
    texts = [text[1:-1] for text in re.findall(SCRIPT_STRING, UNREAD.sub("", source))]
    return [text for text in texts if SPOKEN.match(text) and " " in text]


def bare_in_python(source: str) -> Iterator[str]:
    """Yield the sentences and labels of a module that are not marked."""
    above: dict[ast.AST, ast.AST] = {}
    for node in ast.walk(ast.parse(source)):
        above |= dict.fromkeys(ast.iter_child_nodes(node), node)
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        parents = [above[node]]
        while not isinstance(parents[-1], ast.stmt):
            parents.append(above[parents[-1]])
        calls = {name_of(one.func) for one in parents if isinstance(one, ast.Call)}
        is_spoken = SPOKEN.match(node.value) or (
            isinstance(parents[0], ast.JoinedStr) and GLUED.match(node.value)
        )
        # A docstring, a name to look up by, and what a mark holds.
        is_key = isinstance(parents[0], ast.Dict) and node in parents[0].keys
        is_marked = isinstance(parents[0], ast.Expr | ast.Compare) or any(
            "gettext" in name or name in ("_", "Text", "phrase") for name in calls
        )
        if is_spoken and not (is_key or is_marked) and WORD.search(SAME.sub("", node.value)):
            yield node.value


def name_of(called: ast.expr) -> str:
    """Return what is called, without what it belongs to."""
    return str(getattr(called, "id", getattr(called, "attr", "")))


def faults() -> Iterator[tuple[Path, str]]:
    """Yield what is wrong, with where."""
    for path in sources(*TEMPLATES):
        yield from ((path, f"not marked: {text}") for text in bare_in_template(path.read_text()))
    for path in set(sources(*PAGES)) - {ROOT / BUYERS}:
        yield from ((path, f"not marked: {text}") for text in bare_in_python(path.read_text()))
    for path in scripts():
        yield from ((path, f"not marked: {text}") for text in bare_in_script(path.read_text()))
    yield from against(marked(), CATALOGUES)
    yield from against(marked_in_script(), [SCRIPTS])


@cache
def of_django() -> dict[Used, Path]:
    """Return the texts of Django's own pages: some stand in our catalogue too, its Korean being
    clumsy.
    """
    paths = Path(django.__file__).parent.glob("**/locale/ko/**/*.po")
    return {
        Used(entry.msgctxt, entry.msgid): path
        for path in paths
        for entry in polib.pofile(str(path))
    }


def against(
    texts: Iterable[tuple[Path, Used]], files: Iterable[Path]
) -> Iterator[tuple[Path, str]]:
    """Yield what is wrong between texts and their catalogues."""
    korean: dict[Used, set[str]] = defaultdict(set)
    entries: list[tuple[Path, Any]] = [
        (path, entry) for path in files for entry in polib.pofile(str(path))
    ]
    used, djangos = {text: path for path, text in texts}, of_django()
    for path, entry in entries:
        translation = entry.msgstr or entry.msgstr_plural.get(0, "")
        korean[Used(entry.msgctxt, entry.msgid)].add(translation)
        of_key = set(PLACEHOLDER.findall(entry.msgid + (entry.msgid_plural or "")))
        if Used(entry.msgctxt, entry.msgid) not in used | djangos:
            yield path, f"used nowhere: {entry.msgid}"
        elif not translation or entry.fuzzy:
            yield path, f"no Korean: {entry.msgid}"
        elif set(PLACEHOLDER.findall(translation)) != of_key:
            yield path, f"other placeholders: {translation}"
        elif PARTICLE.search(translation):
            yield path, f"a particle behind a placeholder: {translation}"
        elif CASUAL.search(translation):
            yield path, f"not in the polite form: {translation}"
    for text, path in used.items():
        if text not in korean:
            yield path, f"no Korean: {text.text}"
        elif len(korean[text]) > 1:
            yield path, f"several in Korean: {text.text}: {' | '.join(sorted(korean[text]))}"


def main(within: list[str]) -> int:
    """Compile, list what is wrong in the files named, and return whether anything is."""
    compile_texts()
    lines = [f"{path.relative_to(ROOT)}: {fault}" for path, fault in faults()]
    lines = [line for line in lines if not within or line.startswith(tuple(within))]
    for line in dict.fromkeys(lines):
        say(line)
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
