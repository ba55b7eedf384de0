"""Tags of every page of staff: its scripts and styles (`{% staff_assets "packing" %}` loads
frontend/staff/pages/packing.ts), its cards; of a change page first what is typed, then what is
only read; the cells of a list with their role: a table stays one for those who hear it, and
two-line rows on a phone.
"""

import re
from datetime import datetime
from itertools import chain, zip_longest
from typing import Any

from django import template
from django.template.base import FilterExpression, Parser, Token, kwarg_re
from django.template.defaultfilters import date
from django.template.defaulttags import ForNode
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from apps.common.staff import Context
from apps.common.staff_lists import figure_text, signed
from apps.common.texts import read, worded
from apps.common.types import Label
from portal.web.build import NOT_BUILT, STAFF, NotBuilt, current_build

register = template.Library()
EVERY_PAGE = "staff"
FONT = "geist-latin-wght-normal.woff2"
TICK = "action_checkbox"
CODE = re.compile(r"[A-Z]{1,10}-\d{6}-\d{1,12}")
CAPITAL = re.compile("[A-Z](?=[a-z])")  # of a word; USD stays
CELL = re.compile(r"<(?:tr|th|td)(?=[\s>])")
MARKED = {
    "<tr": '<tr role="row"',
    "<th": '<th scope="row" role="rowheader"',
    "<td": '<td role="cell"',
}
register.filter("figure", figure_text)
register.filter("signed", signed)
register.filter("kept", read)
register.filter("worded", worded)


@register.inclusion_tag("staff/assets.html")
def staff_assets(name: str) -> Context:
    """Return what a page loads; nothing where the front end is not built, for the pages work
    without scripts.
    """
    try:
        build = current_build(STAFF)
        files = build.files(f"staff/pages/{name}.ts")
    except NotBuilt:
        return {}
    return {"files": files, "fonts": build.assets((FONT,)) if name == EVERY_PAGE else []}


@register.simple_tag
def build_fault() -> str:
    """Return what is wrong where the staff's scripts and styles are not built; else nothing."""
    return "" if staff_assets(EVERY_PAGE) else _(NOT_BUILT)


@register.filter(expects_localtime=True)
def stamp(moment: datetime) -> SafeString:
    """Return a moment as lists show it: `11-24 14:12`."""
    return format_html('<time datetime="{}">{}</time>', date(moment, "c"), date(moment, "m-d H:i"))


@register.filter
def whole_codes(text: Label) -> str:
    """Return a text whose invoice codes never break at their hyphens."""
    text = str(text)
    codes = [*CODE.findall(text), ""]
    marked = zip(CODE.split(text), codes, strict=True)
    return (
        format_html_join("", '{}<span class="keep">{}</span>', marked) if len(codes) > 1 else text
    )


def _is_figure(cl: Any, column: str) -> bool:
    return bool(getattr(getattr(cl.model_admin, column, None), "is_figure", False))


@register.simple_tag
def figure_column(cl: Any, number: int) -> str:
    """Return the mark of a heading above figures."""
    return SafeString(" data-figure") if _is_figure(cl, cl.list_display[number]) else ""


class Part(template.Node):
    """A part of a staff page: the words and options of its tag, and what stands between the marks
    in it. A mark may name rows (`{% rows row in rows %}`): what follows it is there for each.
    """

    marks: tuple[str, ...] = ()

    def __init__(self, parser: Parser, token: Token) -> None:
        name, *words = token.split_contents()
        self.words: list[FilterExpression] = []
        self.options: dict[str, FilterExpression] = {}
        for word in words:
            option, value = kwarg_re.findall(word)[0]
            if option:
                self.options[option] = parser.compile_filter(value)
            else:
                self.words.append(parser.compile_filter(value))
        self.parts: dict[str, template.NodeList] = {}
        mark, loop, ends = "", list[str](), (*self.marks, f"end{name}")
        while mark != ends[-1]:
            part = parser.parse(ends)
            if loop:
                *names, _in, rows = (word.strip(",") for word in loop)
                each = ForNode(names, parser.compile_filter(rows), False, part)
                part = template.NodeList([each])
            self.parts[mark] = part
            mark, *loop = parser.next_token().split_contents()
        # where Django looks for blocks
        self.nodelist = template.NodeList(chain.from_iterable(self.parts.values()))

    def render_part(self, mark: str, context: template.Context) -> SafeString:
        """Return what stands behind a mark, of none what comes first."""
        return self.parts[mark].render(context) if mark in self.parts else SafeString("")

    def classes(self, option: str, context: template.Context) -> str:
        """Return the classes that an option adds, behind a space."""
        return f" {self.options[option].resolve(context)}" if option in self.options else ""


class Card(Part):
    """`{% card KEY TITLE [HINT] [frame=CLASS] [focus=1] %}beside the heading{% body %}what is on it
    {% endcard %}`; where nothing is beside, without `body`. A link to one with `focus` leads there.
    """

    marks: tuple[str, ...] = ("body",)
    inside = "{body}"

    def render(self, context: template.Context) -> SafeString:
        """Return a card under its heading."""
        key, title, *hints = (word.resolve(context) for word in self.words)
        content = self.marks[0]
        beside, body = ("", content) if content in self.parts else (content, "")
        hint = format_html(' <span class="hint">{}</span>', *hints) if any(hints) else ""
        return format_html(
            '<section class="card{frame}" aria-labelledby="{key}">\n'
            '  <header><h2 id="{key}"{focus}>{title}</h2>{hint} {beside}</header>'
            f"{self.inside}</section>",
            frame=self.classes("frame", context),
            key=key,
            focus=SafeString(' tabindex="-1"') if "focus" in self.options else "",
            title=title,
            hint=hint,
            beside=self.render_part(beside, context),
            look=self.classes("look", context),
            body=self.content(body, context),
            below=self.render_part("below", context),
        )

    def content(self, mark: str, context: template.Context) -> SafeString:
        """Return what is on the card, which stands behind a mark."""
        return self.render_part(mark, context)


class Facts(Card):
    """A card of facts, each `<div><dt>…</dt><dd>…</dd></div>`, and what is said `below` them."""

    marks = ("body", "below")
    inside = '<div class="body"><dl class="rows{look}">{body}</dl>{below}</div>'


class Padded(Card):
    """A card with what is read."""

    inside = '<div class="body">{body}</div>'


class Panel(Card):
    """A card with what is typed or told, one below the other."""

    inside = '<div class="body stack">{body}</div>'


class Split(Part):
    """`{% split [look=CLASS] %}what is done{% aside %}what is read beside it{% endsplit %}`."""

    marks = ("aside",)

    def render(self, context: template.Context) -> SafeString:
        """Return the two columns."""
        columns = (self.render_part(mark, context) for mark in ("", "aside"))
        content = "".join(f'<div class="stack">{column}</div>' for column in columns)
        return SafeString(f'<div class="split{self.classes("look", context)}">{content}</div>')


class Table(Part):
    """`{% table [look=CLASS] [scroll=KEY] %}<th>…{% rows row in rows %}<tr><th>…<td>…{% foot %}
    <tr>…{% empty %}what is said of no row{% endtable %}`; a caption stands before the heads. A
    `sheet` is typed into. One that scrolls has the KEY of its card, for the keys too, or a blank
    one.

    Each cell says what it is: on a phone, where rows have two lines, the browser sees none.
    """

    marks: tuple[str, ...] = ("rows", "foot", "empty")

    def render(self, context: template.Context) -> SafeString:
        """Return the table."""
        return self.table("", context)

    def table(self, mark: str, context: template.Context) -> SafeString:
        """Return the table whose heads stand behind a mark."""
        caption, end, heads = self.render_part(mark, context).rpartition("</caption>")
        heads = heads.replace("<th", '<th scope="col" role="columnheader"')
        rows, foot = (
            CELL.sub(lambda match: MARKED[match[0]], self.render_part(mark, context))
            for mark in ("rows", "foot")
        )
        if "empty" in self.parts and not rows.strip():
            return SafeString(f'<p class="empty">{self.render_part("empty", context)}</p>')
        look = self.classes("look", context).strip()
        look = look if look.startswith("sheet") else f"list {look}".strip()
        head = heads and f'<thead role="rowgroup"><tr role="row">{heads}</tr></thead>'
        feet = foot and f'<tfoot role="rowgroup">{foot}</tfoot>'
        table = SafeString(
            f'<table class="{look}" role="table">{caption}{end}{head}'
            f'<tbody role="rowgroup">{rows}</tbody>{feet}</table>'
        )
        if "scroll" not in self.options:
            return table
        key, group = self.options["scroll"].resolve(context), ""
        if key:
            group = format_html(' tabindex="0" role="group" aria-labelledby="{}"', key)
        return format_html('<div class="scroll"{}>{}</div>', group, table)


class Listing(Card, Table):
    """A card with a table: `{% listing KEY TITLE [HINT] [look=CLASS] [scroll=KEY] %}beside the
    heading{% heads %}<th>…{% rows row in rows %}<tr>…{% empty %}…{% below %}what stands below
    it{% endlisting %}`.
    """

    marks = ("heads", *Table.marks, "below")
    inside = "{body}{below}"

    def content(self, mark: str, context: template.Context) -> SafeString:
        """Return the table."""
        return self.table(mark, context)


for part in (Card, Facts, Padded, Panel, Split, Table, Listing):
    register.tag(part.__name__.lower(), part)


@register.simple_tag
def page_span(cl: Any) -> str:
    """Return which rows of how many a page shows: `51–100 of 328 products`."""
    count, rows = cl.result_count, len(cl.result_list)
    many = f"{figure_text(count)}{'+' if getattr(cl.paginator, 'is_capped', False) else ''}"
    kind = cl.model_admin.one if count == 1 else cl.model_admin.counted
    words = {"count": many, "kind": kind}
    if not 0 < rows < count:
        return _("%(count)s %(kind)s") % words
    first = (cl.page_num - 1) * cl.list_per_page + 1
    span = {"first": figure_text(first), "last": figure_text(first + rows - 1)}
    return _("%(first)s–%(last)s of %(count)s %(kind)s") % {**words, **span}


@register.simple_tag
def row_cells(cl: Any, headers: list[Context], row: list[Any]) -> list[str]:
    """Return the cells of a row, each with its role, its place on a phone and the heading that it
    shows there.
    """
    return [
        _cell(cl, column, str(header["text"]) if header else "", str(cell))
        for column, header, cell in zip_longest(cl.list_display[: len(row)], headers, row)
        if cell is not None
    ]


def _cell(cl: Any, column: str | None, heading: str, cell: str) -> str:
    """Return a cell, which Django made (`<td …>` or `<th …>`), with what it is on a phone."""
    if column == TICK:
        place = "tick"
    elif column == next(name for name in cl.list_display if name != TICK):
        place = "name"
    else:
        place = str(cl.model_admin.phone_row.place_of(column or ""))
    if place == "third" and cell.endswith(">–</td>"):
        place = ""
    marks = [format_html(' role="{}"', "rowheader" if cell.startswith("<th") else "cell")]
    if place:
        marks.append(format_html(' data-place="{}"', place))
    if place and column in cl.model_admin.phone_row.labelled:
        small = CAPITAL.sub(lambda match: match[0].lower(), heading)
        marks.append(format_html(' data-label="{}"', small.removesuffix(" $")))
    if _is_figure(cl, column or ""):
        marks.append(SafeString(" data-figure"))
    return SafeString("".join([cell[:3], *marks, cell[3:]]))


@register.filter
def inputs(fieldset: Any) -> list[Any]:
    """Return the fields of a fieldset that can be changed."""
    return [
        field for line in fieldset for field in line if not getattr(field, "is_readonly", False)
    ]


@register.filter
def facts(fieldset: Any) -> list[Any]:
    """Return the fields of a fieldset that are only read."""
    return [field for line in fieldset for field in line if getattr(field, "is_readonly", False)]
