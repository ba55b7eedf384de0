import { FolderOpen } from "lucide-react";
import { useState } from "react";
import { type DocumentKind, documents } from "@/api/account";
import { dayText, usd } from "@/domain/figures";
import { documentLabel, orderPath, poLabel } from "@/domain/orders";
import { Options, Select } from "@/shared/ui/Field";
import { Link } from "@/shared/ui/Link";
import { EmptyState } from "@/shared/ui/Panels";
import { SearchedList } from "./SearchedList";
import tables from "./Table.module.css";
import { TableHead } from "./TableHead";

const KINDS: readonly [DocumentKind, string][] = [
  ["", "All kinds"],
  ["proforma", "Proforma invoices"],
  ["receipt", "Receipts"],
  ["commercial", "Commercial invoices"],
  ["packing", "Packing lists"],
  ["other", "Others"],
];

/** /account/documents: the documents of all orders, searched by order, PO number or their own name. */
export function DocumentsPart() {
  const [kind, setKind] = useState<DocumentKind>("");
  return (
    <SearchedList
      id="documents"
      title="Documents"
      label="Search document, order, PO number"
      pagesOf={(search) => documents(search, kind)}
      rowsOf={(page) => page.documents}
      isFiltered={kind !== ""}
      filter={
        <Select
          aria-label="Kind of document"
          value={kind}
          onChange={({ target }) => setKind(target.value as DocumentKind)}
        >
          <Options of={KINDS} />
        </Select>
      }
      head={<TableHead columns={["Document", "Order", "Date", "Total"]} figures={["Total"]} />}
      empty={
        <EmptyState icon={FolderOpen} text="No documents found.">
          <p>Invoices, receipts and packing lists of your orders appear here.</p>
        </EmptyState>
      }
    >
      {(document) => (
        <tr key={document.url}>
          <th scope="row">
            <a href={document.url}>{documentLabel(document.name, document.invoice_code)}</a>
          </th>
          <td className="tabular-nums">
            <Link to={orderPath(document.invoice_code)}>{document.invoice_code}</Link>
            {document.po_number && (
              <span className={tables.second}>{poLabel(document.po_number)}</span>
            )}
          </td>
          <td className={tables.quiet}>{document.on && dayText(document.on)}</td>
          <td className={tables.number}>{document.amount !== null && usd(document.amount)}</td>
        </tr>
      )}
    </SearchedList>
  );
}
