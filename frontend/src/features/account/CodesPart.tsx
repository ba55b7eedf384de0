import { Barcode, Trash2 } from "lucide-react";
import { counted } from "@/domain/figures";
import { confirm } from "@/shared/ui/alerts";
import { IconButton } from "@/shared/ui/Button";
import { EmptyState } from "@/shared/ui/Panels";
import { type OwnCode, ownCodes, useForgetCode } from "./queries";
import { SearchedList } from "./SearchedList";
import tables from "./Table.module.css";
import { TableHead } from "./TableHead";

/** /account/codes: what the company calls products in its own lists, and what cartons hold, learned from "Order from a list". */
export function CodesPart() {
  const forget = useForgetCode();
  const ask = async ({ own_code_id, code }: OwnCode) => {
    if (await confirm(`Forget the code “${code}”?`)) forget.mutate(own_code_id);
  };
  return (
    <SearchedList
      id="codes"
      title="Item codes"
      label="Search code, product, SKU"
      pagesOf={ownCodes}
      rowsOf={({ codes }) => codes}
      head={<TableHead columns={["Your code", "Product", "SKU"]} hasActions />}
      empty={
        <EmptyState icon={Barcode} text="No item codes yet.">
          <p>
            We remember your own item codes and carton sizes once you have matched them in “Order
            from a list”.
          </p>
        </EmptyState>
      }
    >
      {(own) => (
        <tr key={own.own_code_id}>
          <th scope="row">{own.code}</th>
          <td>
            {own.eng_name}
            {own.pieces !== null && ` · ${counted(own.pieces, "piece")}`}
          </td>
          <td className={tables.quiet}>{own.sku}</td>
          <td className={tables.number}>
            <IconButton label={`Forget ${own.code}`} icon={Trash2} onClick={() => void ask(own)} />
          </td>
        </tr>
      )}
    </SearchedList>
  );
}
