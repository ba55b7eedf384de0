import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usd } from "@/domain/money";
import { counted } from "@/domain/units";
import { Link } from "@/shared/ui/Link";
import { unfinishedRequests } from "./queries";
import styles from "./UnfinishedRequests.module.css";

const SHOWN = 2;

/** The requests that were left before the checkout; each leads back into it. Nothing where there are none. */
export function UnfinishedRequests() {
  const { data: requests = [] } = useQuery(unfinishedRequests);
  const [all, setAll] = useState(false);
  if (requests.length === 0) return null;
  return (
    <section className={styles.requests} aria-labelledby="unfinished">
      <h2 id="unfinished">Unfinished requests</h2>
      <ul>
        {requests.slice(0, all ? undefined : SHOWN).map((request) => (
          <li key={request.invoice_code}>
            <Link to={`/order/checkout-deposit/${encodeURIComponent(request.invoice_code)}`}>
              <span className="num">{request.invoice_code}</span>
              <strong className="num">{usd(request.total)}</strong>
            </Link>
            <p>
              {counted(request.count, "product")}. {request.until}
            </p>
          </li>
        ))}
      </ul>
      {!all && requests.length > SHOWN && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {requests.length}
        </button>
      )}
    </section>
  );
}
