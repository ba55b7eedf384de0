"""The parts of a workbook's archive, found as Excel finds them: by what one says of another, never
by a name that most programs give them.

For `sheet_reader.py` and `sheet_writer.py`; it knows nothing of the portal.
"""

import posixpath
import resource
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import IO, NamedTuple
from xml.etree.ElementTree import Element, iterparse
from xml.parsers import expat

CPU_SECONDS = 60
MEMORY_BYTES = 1024**3
CONTENT_TYPES = "[Content_Types].xml"
MAIN_TYPE = ".main+xml"  # the end of the content types of workbooks, templates, those with macros
# What is kept until the element around it ends: of rows, texts, comments and styles.
INNER = frozenset(("c", "v", "f", "is", "t", "r", "rPr", "rPh", "strike", "text", "xf"))

Attributes = Mapping[str, str]


class RefusedError(Exception):
    """The file cannot be used; the text is a word for the log."""


class _RootReached(Exception):
    """Nothing in front of the root was refused."""


class Relation(NamedTuple):
    """What a part says of another: of which kind it is, and its path."""

    kind: str
    path: str


class Sheet(NamedTuple):
    """A sheet with cells, and the path of its part."""

    name: str
    path: str
    is_shown: bool


def exit_code(work: Callable[[], None]) -> int:
    """Work with little time and memory; return 0, or 1 with a word on the standard error."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    try:
        work()
        sys.stdout.flush()
    except BrokenPipeError:
        return 0
    except Exception as error:  # whatever a broken file makes of its reader
        word = error if isinstance(error, RefusedError) else type(error).__name__
        sys.stderr.write(f"{word}\n")
        return 1
    return 0


class Parts:
    """The parts of a workbook. Their paths know no capitals, and backslashes are slashes."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        self.names = {_path(name): name for name in archive.namelist()}
        self.main = self._main()
        self.relations = self.relations_of(self.main)

    def open(self, path: str) -> IO[bytes]:
        """Open a part.

        Raises:
            KeyError: it is not there.
        """
        return self.archive.open(self.names[path])

    def elements(self, path: str, *names: str) -> Iterator[Element]:
        """Yield the elements of some local names, each as it ends, and keep none of them; none
        where there is no such part.

        Raises:
            RefusedError: the part has a document type, in which entities may be.
        """
        if path not in self.names:
            return
        parser = safe_parser()
        parser.StartElementHandler = _stop
        with self.open(path) as part, suppress(_RootReached):
            parser.ParseFile(part)
        with self.open(path) as part:
            for _, element in iterparse(part):  # noqa: S314 - it has no document type
                name = local_name(element.tag)
                if name in names:
                    yield element
                if name not in INNER:
                    element.clear()

    def relations_of(self, path: str) -> dict[str, Relation]:
        """Return what a part says of others, by the names that it has for them; the empty path is
        the archive itself.
        """
        folder, name = posixpath.split(path)
        relations = self.elements(
            _path(posixpath.join(folder, "_rels", f"{name}.rels")), "Relationship"
        )
        return {
            one.attrib["Id"]: Relation(
                one.attrib["Type"].rpartition("/")[2],
                _path(
                    posixpath.normpath(posixpath.join("/", folder, _slashed(one.attrib["Target"])))
                ),
            )
            for one in relations
            if one.get("TargetMode") != "External"
        }

    def path_of(self, kind: str) -> str:
        """Return the path of the workbook's part of a kind (`styles`); empty where it has none."""
        return next((one.path for one in self.relations.values() if one.kind == kind), "")

    def sheets(self) -> Iterator[Sheet]:
        """Yield the sheets that have cells, in their order: no charts, no macros."""
        for sheet in self.elements(self.main, "sheet"):
            names = [value for key, value in sheet.items() if local_name(key) == "id"]
            relation = next(
                (self.relations[name] for name in names if name in self.relations), None
            )
            if relation is not None and relation.kind == "worksheet":
                is_shown = sheet.get("state", "visible") == "visible"
                yield Sheet(sheet.attrib["name"], relation.path, is_shown)

    def _main(self) -> str:
        """Return the path of the workbook's own part.

        Raises:
            RefusedError: there is none.
        """
        paths = [one.path for one in self.relations_of("").values() if one.kind == "officeDocument"]
        paths += [
            _path(part.attrib["PartName"])
            for part in self.elements(_path(CONTENT_TYPES), "Override")
            if part.get("ContentType", "").endswith(MAIN_TYPE)
        ]
        for path in paths:
            if path in self.names:
                return path
        raise RefusedError("no workbook")


def safe_parser() -> expat.XMLParserType:
    """Return a reader of XML that takes no document type, so no entity either."""

    def refuse(*_: object) -> None:
        raise RefusedError("doctype")

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = refuse
    return parser


def _stop(*_: object) -> None:
    raise _RootReached


@lru_cache(maxsize=256)
def local_name(tag: str) -> str:
    """Return a name without its namespace."""
    return tag.rpartition("}")[2]


def column_of(letters: str) -> int:
    """Return a column's number from its letters, from 1."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number


def _slashed(name: str) -> str:
    return name.replace("\\", "/")


def _path(name: str) -> str:
    return _slashed(name).lstrip("/").lower()
