import type { InfiniteData, UseInfiniteQueryOptions } from "@tanstack/react-query";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { cx } from "@/shared/cx";
import { useSettled } from "@/shared/effects";
import { Button } from "@/shared/ui/Button";
import { Card, CardHead, Loaded } from "@/shared/ui/Panels";
import { useOnceTrue } from "@/shared/ui/popup";
import { SearchField } from "@/shared/ui/SearchField";
import styles from "./AccountScreen.module.css";
import tables from "./Table.module.css";

const TYPING_MS = 250;

interface SearchedListProps<Page, Row> {
  id: string;
  title: string;
  /** What the list is, for who meets it first. */
  note?: string;
  label: string;
  filter?: ReactNode;
  /** Whether the filter leaves anything out. */
  isFiltered?: boolean;
  pagesOf: (search: string) => Pages<Page>;
  rowsOf: (page: NoInfer<Page>) => readonly Row[];
  head: ReactNode;
  className?: string | undefined;
  /** In the place of a table without rows. */
  empty: ReactNode;
  /** Draws a row. */
  children: (row: Row) => ReactNode;
}

// biome-ignore lint/suspicious/noExplicitAny: any key and any place of a page.
type Pages<Page> = UseInfiniteQueryOptions<Page, Error, InfiniteData<Page>, any, any>;

/** A card with a table that is searched and comes by pages; one that holds nothing at all is not searched. */
export function SearchedList<Page, Row>(props: SearchedListProps<Page, Row>) {
  const { id, title, note, label, filter, isFiltered, pagesOf, rowsOf } = props;
  const { head, className, empty, children } = props;
  const [search, setSearch] = useState("");
  const list = useInfiniteQuery(pagesOf(useSettled(search.trim(), TYPING_MS)));
  const rows = list.data?.pages.flatMap(rowsOf);
  // Once a list has held anything its field stays where its last row is removed.
  const hadRows = useOnceTrue(Boolean(rows?.length || search || isFiltered));
  return (
    <Card aria-labelledby={id} aria-busy={list.isFetching}>
      <CardHead title={title} id={id} />
      {(hadRows || !rows) && (
        <div className={styles.tools}>
          {note && <p>{note}</p>}
          <SearchField
            label={label}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          {filter}
        </div>
      )}
      <Loaded query={list} height={240}>
        {() =>
          rows?.length ? (
            <table className={cx(tables.table, className)}>
              {head}
              <tbody>{rows.map(children)}</tbody>
            </table>
          ) : (
            empty
          )
        }
      </Loaded>
      {list.hasNextPage && (
        <div className="px-card py-14 text-center">
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Card>
  );
}
