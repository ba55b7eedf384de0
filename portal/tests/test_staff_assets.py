"""The staff's scripts and styles: what a page loads from the build, and what it says
without one.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from portal.web.build import NOT_BUILT

MANIFEST = {
    "_elements.js": {"file": "assets/elements-1.js"},
    "node_modules/x/geist-latin-wght-normal.woff2": {"file": "assets/geist-1.woff2"},
    "staff/pages/staff.ts": {
        "file": "assets/staff-1.js",
        "isEntry": True,
        "css": ["assets/staff-1.css"],
        "imports": ["_elements.js"],
    },
}


@pytest.fixture
def dist(settings: Any, tmp_path: Path) -> Path:
    (tmp_path / ".vite").mkdir()
    settings.FRONTEND_DIST = tmp_path
    return tmp_path


@pytest.mark.django_db
def test_a_staff_page_loads_what_was_built_for_it(dist: Path, client: Client) -> None:
    (dist / ".vite" / "staff.json").write_text(json.dumps(MANIFEST))
    html = client.get(reverse("admin:login")).text
    assert '<link rel="stylesheet" href="/static/app/assets/staff-1.css">' in html
    assert '<script src="/static/app/assets/staff-1.js" type="module"></script>' in html
    assert '<link rel="modulepreload" href="/static/app/assets/elements-1.js">' in html
    assert 'as="font" type="font/woff2" crossorigin href="/static/app/assets/geist-1.woff2"' in html
    assert NOT_BUILT not in html


@pytest.mark.django_db
def test_a_staff_page_without_a_build_works_and_says_so(dist: Path, client: Client) -> None:
    page = client.get(reverse("admin:login"))
    assert page.status_code == 200
    assert NOT_BUILT in page.text
