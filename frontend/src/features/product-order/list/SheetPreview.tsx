import { count } from "@/domain/units";
import { cx } from "@/shared/cx";
import { Loading, Skeleton } from "@/shared/ui/Skeleton";
import type { ListLine } from "./list-review";
import styles from "./SheetPreview.module.css";
import { type ReviewedSheet, useSheetPreview } from "./sheet-back";

/** Texts that may be long stand in these columns; they break, all others do not. */
const LONG = ["Why not", "Substitute offered"];

/** Some rows of the sheet with the columns that are added, before it is fetched; nothing where they cannot be had. */
export function SheetPreview({
  sheet,
  lines,
}: {
  sheet: ReviewedSheet;
  lines: readonly ListLine[];
}) {
  const preview = useSheetPreview(sheet, lines);
  if (preview.isLoading) {
    return (
      <Loading className={styles.scroll}>
        <Skeleton height={180} />
      </Loading>
    );
  }
  const { data } = preview;
  if (!data || data.rows.length === 0) return null;
  const { head, own, added, rows } = data;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it.
    <section className={styles.scroll} tabIndex={0} aria-label="Some rows of your sheet">
      <table className={cx(styles.table, "num")}>
        <thead>
          <tr>
            <td>{head > 0 && count(head)}</td>
            {own.map((title, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns never move.
              <th key={place} scope="col">
                {title}
              </th>
            ))}
            {added.map((title) => (
              <th key={title} scope="col" data-added>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.row}>
              <th scope="row">{count(row.row)}</th>
              {row.own.map((cell, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never move.
                <td key={place}>{cell}</td>
              ))}
              {row.added.map((cell, place) => (
                <td key={added[place]} data-long={LONG.includes(added[place] ?? "") || undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
