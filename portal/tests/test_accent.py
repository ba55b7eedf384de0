"""The accent can be read in every use, whatever colour is configured."""

import random

import pytest

from portal.web.accent import (
    DARK,
    DEFAULT,
    LIGHT,
    contrast,
    fill,
    shades,
    stylesheet,
    stylesheet_version,
)

GIVEN = ["#000000", "#ffffff", "#777777", "#ff0000", "#f2b705", DEFAULT]
SWEEP = [f"#{random.Random(number).randrange(1 << 24):06x}" for number in range(120)]


def test_the_default_is_the_designs() -> None:
    base = fill(DEFAULT)
    assert (base.accent, base.accent_hover, base.on_accent) == ("#337ab7", "#206aa5", "#ffffff")
    light, dark = shades(base.accent, LIGHT), shades(base.accent, DARK)
    assert (light.accent_ink, light.accent_soft) == ("#226ba7", "#edf3f9")
    assert (dark.accent_ink, dark.accent_soft) == ("#5ca2e2", "#202d38")


def test_every_colour_can_be_read() -> None:
    unchanged = 0
    for colour in [*GIVEN, *SWEEP]:
        base = fill(colour)
        unchanged += base.accent == colour
        for state in (base.accent, base.accent_hover, base.accent_active):
            assert contrast(base.on_accent, state) >= 4.5, colour
        for mode in (LIGHT, DARK):
            colours = shades(base.accent, mode)
            assert contrast(colours.accent_ink, colours.accent_soft) >= 5, colour
            for ground in (mode.bg, mode.surface):
                assert contrast(colours.accent_ink, ground) >= 4.5, colour
                assert contrast(colours.accent_graphic, ground) >= 3.1, colour
    assert unchanged > 0.9 * len(SWEEP)


@pytest.mark.parametrize(
    "configured", ["", "blue", "#fff", "#12345g", "#337ab7; } body {", "337ab7"]
)
def test_an_invalid_colour_falls_back(configured: str) -> None:
    assert stylesheet(configured) == stylesheet(DEFAULT)


def test_the_stylesheet_sets_both_modes_and_its_version_follows() -> None:
    text = stylesheet("#7a2f5c")
    assert text.startswith(":root{--accent:#7a2f5c;")
    assert "--accent-soft:light-dark(#f3ecf0," in text
    assert stylesheet_version("#7a2f5c") != stylesheet_version(DEFAULT)
    assert stylesheet(" #7A2F5C ") == text
