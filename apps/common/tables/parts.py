"""The parts of a workbook's archive, found as Excel finds them: by what one says of another, never
by a name that most programs give them.

For `sheet_reader.py` and `sheet_writer.py`; it knows nothing of the portal.
"""

import posixpath
import zipfile
from collections.abc import Iterator, Mapping
from typing import IO, NamedTuple
from xml.parsers import expat

CONTENT_TYPES = "[Content_Types].xml"
MAIN_TYPE = ".main+xml"  # the end of the content types of workbooks, templates, those with macros
RELATION = "relationships"  # in the address of the attribute `r:id`, of both standards

Attributes = Mapping[str, str]


class RefusedError(Exception):
    """The file cannot be used; the text is a word for the log."""


class Relation(NamedTuple):
    """What a part says of another: of which kind it is, and its path."""

    kind: str
    path: str


class Sheet(NamedTuple):
    """A sheet with cells, and the path of its part."""

    name: str
    path: str
    is_shown: bool


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

    def elements(self, path: str, wanted: str) -> list[Attributes]:
        """Return the attributes of all elements of a local name; none where there is no such
        part.
        """
        found: list[Attributes] = []

        def start(name: str, attributes: Attributes) -> None:
            if name.rpartition(":")[2] == wanted:
                found.append(dict(attributes))

        if path in self.names:
            parser = safe_parser()
            parser.StartElementHandler = start
            with self.open(path) as part:
                parser.ParseFile(part)
        return found

    def relations_of(self, path: str) -> dict[str, Relation]:
        """Return what a part says of others, by the names that it has for them; the empty path is
        the archive itself.
        """
        folder, name = posixpath.split(path)
        said = self.elements(_path(posixpath.join(folder, "_rels", f"{name}.rels")), "Relationship")
        return {
            one["Id"]: Relation(
                one["Type"].rpartition("/")[2],
                _path(posixpath.normpath(posixpath.join("/", folder, _slashed(one["Target"])))),
            )
            for one in said
            if one.get("TargetMode") != "External"
        }

    def path_of(self, kind: str) -> str:
        """Return the path of the workbook's part of a kind (`styles`); empty where it has none."""
        return next((one.path for one in self.relations.values() if one.kind == kind), "")

    def sheets(self) -> Iterator[Sheet]:
        """Yield the sheets that have cells, in their order: no charts, no macros."""
        for sheet in self.elements(self.main, "sheet"):
            names = [value for key, value in sheet.items() if key.rpartition(":")[2] == "id"]
            relation = next(
                (self.relations[name] for name in names if name in self.relations), None
            )
            if relation is not None and relation.kind == "worksheet":
                yield Sheet(
                    sheet["name"], relation.path, sheet.get("state", "visible") == "visible"
                )

    def _main(self) -> str:
        """Return the path of the workbook's own part.

        Raises:
            RefusedError: there is none.
        """
        paths = [one.path for one in self.relations_of("").values() if one.kind == "officeDocument"]
        paths += [
            _path(part["PartName"])
            for part in self.elements(_path(CONTENT_TYPES), "Override")
            if part.get("ContentType", "").endswith(MAIN_TYPE)
        ]
        for path in paths:
            if path in self.names:
                return path
        raise RefusedError("no workbook")


def safe_parser(separator: str | None = None) -> expat.XMLParserType:
    """Return a reader of XML that takes no document type, so no entity either."""

    def refuse(*_: object) -> None:
        raise RefusedError("doctype")

    parser = expat.ParserCreate(namespace_separator=separator)
    parser.StartDoctypeDeclHandler = refuse
    return parser


def _slashed(name: str) -> str:
    return name.replace("\\", "/")


def _path(name: str) -> str:
    return _slashed(name).lstrip("/").lower()
