import { Dialog } from "@base-ui/react/dialog";
import type { Schemas } from "@/api/client";
import { count, counted } from "@/domain/figures";
import { config } from "@/shared/config";
import { cx } from "@/shared/cx";
import type { OrderDetails } from "../queries";
import styles from "./PackingListView.module.css";
import type { BoxRows, Figure } from "./rules";
import { boxCount, boxRows, consignee, cubicMetres, kilograms, taxLine } from "./rules";

interface PackingSheetProps {
  packed: OrderDetails;
  shipper: Schemas["Shipper"];
}

/** The sheet itself: who sends what to whom, box by box, with the totals once at the end. */
export function PackingSheet({ packed, shipper }: PackingSheetProps) {
  const { order, packint_qty_total, packint_weight_total, packint_cbm_total } = packed;
  const date = order.packing_build_date ?? order.build_date.slice(0, 10);
  const poNumber = order.po_number && `PO number ${order.po_number}`;
  return (
    <article
      // An A4 sheet, drawn smaller where there is less room. Its measures are points of paper.
      className={cx(
        styles.sheet,
        "shadow-menu leading-[1.4]",
        "bg-surface text-ink [--pt:calc(min(100cqw,_794px)_/_595.28)]",
        "w-[calc(595.28_*_var(--pt))] min-h-[calc(841.89_*_var(--pt))] mx-auto",
        "pt-[calc(40_*_var(--pt))] pb-[calc(45_*_var(--pt))] px-[calc(39_*_var(--pt))]",
      )}
    >
      <header
        className={cx(
          styles.head,
          "flex justify-between items-end gap-[calc(18_*_var(--pt))]",
          "pb-[calc(7_*_var(--pt))]",
        )}
      >
        <Dialog.Title className={cx(styles.title, "tracking-[0.01em] whitespace-nowrap")}>
          PACKING LIST
        </Dialog.Title>
        <p className="text-right wrap-anywhere">
          <span className={styles.brand}>{config().title}</span>
          {shipper.name}
        </p>
      </header>
      <dl
        className={cx(
          styles.parties,
          "grid",
          "[&_dd]:wrap-anywhere [&_dd]:whitespace-pre-line [&_dt]:mb-[calc(1.5_*_var(--pt))]",
        )}
      >
        <Party
          label="Shipper"
          lines={[
            shipper.name,
            shipper.address,
            shipper.second_address,
            shipper.phone,
            taxLine(shipper.tax_number),
          ]}
        />
        <Party label="Invoice number and date" lines={[order.invoice_code, poNumber, date]} />
        <Party label="Consignee" lines={consignee(order)} />
        <Party label="Remarks" lines={[order.packing_remarks]} />
        <Party label="Notify party" lines={[order.packing_notify || "Same as consignee"]} />
        <Party label="Terms" lines={[order.packing_terms]} />
      </dl>
      <table
        className={cx(
          styles.boxes,
          "w-full tabular-nums mt-[calc(11_*_var(--pt))] table-fixed",
          "[&_th:first-child]:w-[calc(64_*_var(--pt))]",
          "[&_th:first-child]:font-bold [&_th:first-child]:text-left",
        )}
      >
        <thead>
          <tr>
            <th scope="col">Box</th>
            <th scope="col" className={styles.goods}>
              Description of goods
            </th>
            <th scope="col">Qty</th>
            <th scope="col">Gross weight (kg)</th>
            <th scope="col">L × W × H (cm)</th>
            <th scope="col">CBM</th>
          </tr>
        </thead>
        {boxRows(packed).map((rows) => (
          <Box key={rows.id} rows={rows} />
        ))}
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td>{counted(boxCount(packed), "box", "boxes")}</td>
            <td>{count(packint_qty_total)}</td>
            <td>{kilograms(packint_weight_total)}</td>
            <td />
            <td>{cubicMetres(packint_cbm_total)}</td>
          </tr>
        </tfoot>
      </table>
    </article>
  );
}

function Party({ label, lines }: { label: string; lines: string[] }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="tabular-nums">{lines.filter(Boolean).join("\n")}</dd>
    </div>
  );
}

/** A box, or boxes alike: its number, weight and size stand beside all that is in it. */
function Box({ rows: { label, goods, weight, size, cbm } }: { rows: BoxRows }) {
  const [first, ...more] = goods;
  const span = Math.max(1, goods.length);
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" rowSpan={span}>
          {label}
        </th>
        <td>{first?.name}</td>
        <td>{first && <Amount figure={first.pieces} />}</td>
        <td rowSpan={span}>
          <Amount figure={weight} />
        </td>
        <td rowSpan={span}>{size}</td>
        <td rowSpan={span}>{cbm}</td>
      </tr>
      {more.map(({ id, name, pieces }) => (
        <tr key={id}>
          <td>{name}</td>
          <td>
            <Amount figure={pieces} />
          </td>
        </tr>
      ))}
    </tbody>
  );
}

function Amount({ figure: { value, each } }: { figure: Figure }) {
  return (
    <>
      {value}
      {each && <small>{each}</small>}
    </>
  );
}
