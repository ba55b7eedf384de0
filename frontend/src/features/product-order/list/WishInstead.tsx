import { mayBeWished } from "../products/availability";
import TellMe from "../products/TellMe";
import { type Change, type LineProblem, type ListLine, QUESTION } from "./list-review";

interface WishInsteadProps {
  line: ListLine;
  /** The problem beside which it stands. */
  code: LineProblem["code"];
  onChange: (change: Change) => void;
  /** Told before the buttons of the line go, so that the focus can move on. */
  onFixed: (button: HTMLElement) => void;
}

/** Keeps a code that nobody knows, or a product that is sold out, among the wishes, and leaves its line out. */
export function WishInstead({ line, code, onChange, onFixed }: WishInsteadProps) {
  const wish = wishOf(line, code);
  if (!wish || line.count === 0) return null;
  return (
    <TellMe
      {...wish}
      count={line.count}
      onKept={(button) => {
        const beside = button?.parentElement?.querySelector<HTMLElement>("[data-fix]");
        if (beside) onFixed(beside);
        onChange({ does: "wish", row: line.asked.row });
      }}
    />
  );
}

function wishOf({ asked }: ListLine, code: LineProblem["code"]) {
  const { sku, own_code, product } = asked;
  if (code === "unavailable" && product && mayBeWished(product)) return { product };
  const unknown = code === QUESTION ? own_code : code === "unknown_sku" && sku;
  return unknown
    ? { product: { sku: unknown, eng_name: unknown }, when: "you have it" }
    : undefined;
}
