"""What the check of texts finds."""

from pathlib import Path

import polib
import pytest

from tools.texts import Used, against, bare_in_python, bare_in_script, bare_in_template


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("<p>Late orders</p>", ["Late orders"]),
        ('<p>{% translate "Late" %}, 12 kg, <b>{{ name }}</b>, USD</p>', []),
        ("{% blocktranslate %}Late by {{ time }}{% endblocktranslate %}", []),
        ('<a aria-label="To the order" class="wide row">›</a>', ["To the order"]),
        ('{% include "x.html" with title="Late orders" class="wide" %}', ['"Late orders"']),
        ('{{ name|default:"None yet" }}', ['"None yet"']),
        ('{{ name|default:_("None yet") }} {{ day|date:"D j M" }}', []),
        ("{{ n }} order{{ n|pluralize }}", ["order", "n|pluralize"]),
        ('<p lang="en">Dear buyer <p>yours</p></p><script>let late;</script>', []),
        ("{# A remark #}{% comment %}Another{% endcomment %}", []),
    ],
)
def test_words_of_a_template_that_are_not_marked(source: str, found: list[str]) -> None:
    assert bare_in_template(source) == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('title = "Late orders"', ["Late orders"]),
        ('title = _("Late orders")', []),
        ('text = Text("Saved by %(name)s", name="x")', []),
        ('said = f"{count} lines are left"', [" lines are left"]),
        ('"""A docstring."""\nif name == "Sales": order = {"Sales": 1}', []),
        ('code = "wrong_status"; header = "Content-Type"; path = "orders/order"', []),
    ],
)
def test_words_of_a_module_that_are_not_marked(source: str, found: list[str]) -> None:
    assert list(bare_in_python(source)) == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('say("Saved just now");', ["Saved just now"]),
        ("say(`Saved at ${time}`);", ["Saved at ${time}"]),
        ('say(t("Saved just now")); // "Not this one"', []),
        ('if (key === "Enter") find("#lines tbody"); throw new Error("No such field");', []),
        ('reasons.value = "We cannot supply";', []),
    ],
)
def test_words_of_a_script_that_are_not_marked(source: str, found: list[str]) -> None:
    assert bare_in_script(source) == found


@pytest.mark.parametrize(
    ("key", "korean", "fault"),
    [
        ("Late by %(time)s", "%(time)s 지연", None),
        ("Late by %(time)s", "", "no Korean"),
        ("Late by %(time)s", "지연", "other placeholders"),
        ("Late by %(time)s", "%(time)s를 지연", "a particle"),
        ("Late by %(time)s", "%(time)s이(가) 지연", "a particle"),
        ("Late by %(time)s", "“%(time)s”은 지연", "a particle"),
        ("Late by %(time)s", "%(time)s 지연인가요?", "not in the polite form"),
        ("Not used", "미사용", "used nowhere"),
    ],
)
def test_what_is_wrong_with_a_catalogue(
    tmp_path: Path, key: str, korean: str, fault: str | None
) -> None:
    file = polib.POFile()
    file.append(polib.POEntry(msgid=key, msgstr=korean))
    path = tmp_path / "django.po"
    file.save(str(path))
    used = [(Path("page.html"), Used(None, "Late by %(time)s"))]
    told = [said for where, said in against(used, [path]) if where == path]
    assert [said for said in told if fault is None or not said.startswith(fault)] == []
    assert bool(told) == bool(fault)


def test_a_text_without_an_entry_and_one_with_two_are_told(tmp_path: Path) -> None:
    paths = []
    for number, korean in enumerate(("지연", "연체")):
        file = polib.POFile()
        file.append(polib.POEntry(msgid="Late", msgstr=korean))
        paths.append(tmp_path / f"{number}.po")
        file.save(str(paths[-1]))
    page = Path("page.html")
    told = list(against([(page, Used(None, "Late")), (page, Used("money", "Late"))], paths))
    assert told == [(page, "several in Korean: Late: 연체 | 지연"), (page, "no Korean: Late")]
