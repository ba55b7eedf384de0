import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { counted, usd } from "@/domain/figures";
import { temporaryOrderKeys } from "@/shared/query-keys";
import { confirm } from "@/shared/ui/alerts";
import { Button } from "@/shared/ui/Button";
import { Link } from "@/shared/ui/Link";
import styles from "./OrderList.module.css";
import { type UnfinishedRequest, unfinishedRequests } from "./queries";

/** The requests that were left before the checkout, in one line: several open with it. Nothing where there are none. */
export function UnfinishedRequests() {
  const { data: requests = [] } = useQuery(unfinishedRequests);
  if (requests.length === 0) return null;
  const rows = (
    <ul>
      {requests.map((request) => (
        <Row key={request.invoice_code} request={request} />
      ))}
    </ul>
  );
  return (
    <section className={styles.requests} aria-label="Unfinished requests">
      {requests.length === 1 ? (
        rows
      ) : (
        <details>
          <summary>{requests.length} unfinished requests</summary>
          {rows}
        </details>
      )}
    </section>
  );
}

/** One request: the way back into its checkout, and the button that drops it. The basket stays as it is. */
function Row({ request: { invoice_code, total, count, until } }: { request: UnfinishedRequest }) {
  const client = useQueryClient();
  const discard = useMutation({
    meta: { onFailure: "alert", except: ["not_found", "order_exists"] },
    mutationFn: async () => {
      const params = { path: { invoice_code } };
      return unwrap(await api.DELETE("/temp-order/{invoice_code}", { params }));
    },
    onSettled: () => client.invalidateQueries({ queryKey: temporaryOrderKeys.unfinished }),
  });
  const ask = async () => {
    const question = `Discard this request of ${counted(count, "product")}, ${usd(total)}?`;
    if (await confirm(question, { destroys: true })) discard.mutate();
  };
  return (
    <li className="flex items-center justify-between gap-8">
      <Link to={`/order/checkout-deposit/${encodeURIComponent(invoice_code)}`} title={until}>
        Unfinished request <span className="tabular-nums">{usd(total)}</span>
      </Link>
      <Button
        size="small"
        variant="ghost"
        busy={discard.isPending}
        aria-label={`Discard ${invoice_code}`}
        onClick={() => void ask()}
      >
        Discard
      </Button>
    </li>
  );
}
