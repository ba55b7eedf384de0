import { type ReactNode, useState } from "react";
import { useTimeout } from "@/shared/effects";
import * as texts from "@/shared/texts";
import { Link } from "./Link";

const WAY_OUT_AFTER_MS = 20_000;

interface PaymentWaitingProps {
  orderPage: string;
  children: ReactNode;
}

/** While a payment is being confirmed. `children` is the line that says so; after a while a way out. */
export function PaymentWaiting({ orderPage, children }: PaymentWaitingProps) {
  const [long, setLong] = useState(false);
  useTimeout(() => setLong(true), WAY_OUT_AFTER_MS);
  return (
    <div
      className="grid justify-items-center content-center gap-16 page-high text-center
        [&>:is(h1,p)]:max-w-640 [&>:is(h1,p)]:serif-23 [&>:is(h1,p)]:font-[520]
        [&>:is(h1,p)]:tracking-serif [&>:is(h1,p)]:text-balance"
    >
      <span
        className="animate-turn w-35 h-35 border-3 border-line-2 border-r-graphic rounded-pill"
        aria-hidden
      />
      {children}
      <div role="status" className="min-h-44 text-ink-2 [&_a]:underline">
        {long && (
          <p>
            {texts.stillWaiting} <Link to={orderPage}>Go to the order page</Link>
          </p>
        )}
      </div>
    </div>
  );
}
