import type { InfiniteData, UseInfiniteQueryOptions } from "@tanstack/react-query";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useSettled } from "@/shared/effects";
import { Button } from "@/shared/ui/Button";
import { Card, CardHead, Loaded } from "@/shared/ui/Panels";
import { useOnceTrue } from "@/shared/ui/popup";
import { SearchField } from "@/shared/ui/SearchField";
import styles from "./AccountScreen.module.css";

const TYPING_MS = 250;

interface SearchedListProps<Page> {
  id: string;
  title: string;
  /** What the list is, for who meets it first. */
  note?: string;
  label: string;
  filter?: ReactNode;
  /** Whether a page holds nothing; a list that holds nothing at all is not searched. */
  isEmpty?: (page: NoInfer<Page>) => boolean;
  pagesOf: (search: string) => Pages<Page>;
  children: (pages: readonly Page[]) => ReactNode;
}

// biome-ignore lint/suspicious/noExplicitAny: any key and any place of a page.
type Pages<Page> = UseInfiniteQueryOptions<Page, Error, InfiniteData<Page>, any, any>;

/** A card with a list that is searched and comes by pages. */
export function SearchedList<Page>(props: SearchedListProps<Page>) {
  const { id, title, note, label, filter, isEmpty = () => false, pagesOf, children } = props;
  const [search, setSearch] = useState("");
  const list = useInfiniteQuery(pagesOf(useSettled(search.trim(), TYPING_MS)));
  const first = list.data?.pages[0];
  // Once a list has held anything its field stays where its last row is removed.
  const hadRows = useOnceTrue(first !== undefined && !isEmpty(first));
  return (
    <Card aria-labelledby={id} aria-busy={list.isFetching}>
      <CardHead title={title} id={id} />
      {(hadRows || !first) && (
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
        {(data) => children(data.pages)}
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
