import { storedText } from "@/domain/stored-text";
import { connection } from "@/shared/online";
import { token } from "@/shared/token";

/** What was seen of orders, for a start without a connection. Local storage: sign-out and expiry empty it in every tab. */
const KEY = "orders-seen";
const MOST = 12;
/** Beyond it local storage could lack the room that the basket needs. */
const MOST_CHARS = 80_000;

interface Seen {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly answer: unknown;
}

function all(): Seen[] {
  return JSON.parse(storedText.get(KEY) ?? "[]") as Seen[];
}

/** Keeps an answer of the server under a name, instead of the one before; the last twelve are kept. */
export function keepOffline<Answer>(name: string, answer: Answer): Answer {
  if (!token.get() || JSON.stringify(answer).length > MOST_CHARS) return answer;
  const others = all().filter((seen) => seen.name !== name);
  const kept = [{ name, at: Date.now(), answer }, ...others].slice(0, MOST);
  if (!storedText.set(KEY, JSON.stringify(kept))) storedText.remove(KEY);
  return answer;
}

/** What a query begins with: nothing while there is a connection, else what was seen under the name, and when. */
export function fromOffline<Answer, Data>(name: string, asData: (answer: Answer) => Data) {
  const seen = () =>
    connection.isOnline() ? undefined : all().find((entry) => entry.name === name);
  return {
    initialData: (): Data | undefined => {
      const found = seen();
      return found && asData(found.answer as Answer);
    },
    initialDataUpdatedAt: () => seen()?.at,
  };
}
