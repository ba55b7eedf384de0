import { useQuery, useQueryClient } from "@tanstack/react-query";
import { FileSpreadsheet, X } from "lucide-react";
import { useUser } from "@/api/session";
import { useIsOnline } from "@/shared/online";
import { Button } from "@/shared/ui/Button";
import styles from "./ListsInHand.module.css";
import {
  dropWithUndo,
  factsOf,
  isComing,
  type ListInHand,
  listsInHand,
  standOf,
} from "./lists-in-hand";
import { useListPlace } from "./use-list-place";

/** The lists that were sent and are not in the basket yet, each with the way back to it; nothing where there are none. */
export default function ListsInHand() {
  const { uuid: owner } = useUser();
  const client = useQueryClient();
  const isOnline = useIsOnline();
  const place = useListPlace();
  const { data: lists = [] } = useQuery(listsInHand());
  /** Its name, for who hears it; with when it was sent, where another one is called so too. */
  const spoken = (list: ListInHand) =>
    lists.some(({ uuid, name }) => uuid !== list.uuid && name === list.name)
      ? `${list.name}, ${factsOf(list)}`
      : list.name;
  const ready = lists.filter(({ state }) => state === "ready");
  return (
    <>
      <p role="status" className="visually-hidden">
        {ready.map(({ name }) => `${name} is ready to be checked.`).join(" ")}
      </p>
      {lists.length > 0 && (
        <ul className={styles.lists} aria-label="Lists in hand">
          {lists.map((list) => (
            <li key={list.uuid} data-refused={list.state === "refused" || undefined}>
              <FileSpreadsheet size={16} strokeWidth={1.8} aria-hidden />
              <p>
                <strong title={list.name}>{list.name}</strong>
                <span>{standOf(list)}</span>
                {list.state === "ready" && <span className={styles.facts}>{factsOf(list)}</span>}
              </p>
              {list.state !== "refused" && (
                <Button
                  size="small"
                  variant="soft"
                  disabled={!isOnline}
                  aria-label={`${wayTo(list)}: ${spoken(list)}`}
                  onClick={() => place.go(list.uuid)}
                >
                  {wayTo(list)}
                </Button>
              )}
              <Button
                variant="ghost"
                size="small"
                square
                disabled={!isOnline}
                aria-label={`Drop ${spoken(list)}`}
                title="Drop"
                icon={<X size={16} strokeWidth={1.8} aria-hidden />}
                onClick={() => dropWithUndo(client, owner, list)}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function wayTo(list: ListInHand): string {
  if (isComing(list)) return "Show";
  return list.decided > 0 ? "Go on checking" : "Check it";
}
