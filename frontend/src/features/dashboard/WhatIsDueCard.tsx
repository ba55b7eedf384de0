import type { UseQueryResult } from "@tanstack/react-query";
import {
  Banknote,
  CalendarClock,
  CircleCheck,
  Hourglass,
  Landmark,
  ListChecks,
  TriangleAlert,
} from "lucide-react";
import type { components } from "@/api/schema.gen";
import { usd } from "@/domain/money";
import { orderPath } from "@/domain/order-path";
import { count } from "@/domain/units";
import { AsOf } from "@/shared/ui/AsOf";
import { ButtonLink } from "@/shared/ui/Button";
import { Card, CardHead } from "@/shared/ui/Card";
import { Link } from "@/shared/ui/Link";
import { EmptyState, RetryPanel } from "@/shared/ui/Panels";
import { Loading, Skeleton } from "@/shared/ui/Skeleton";
import styles from "./WhatIsDueCard.module.css";

export type WhatIsDue = components["schemas"]["WhatIsDue"];
type Step = WhatIsDue["steps"][number];

const ICONS = {
  deposit_wire: Landmark,
  deposit: Landmark,
  balance: Banknote,
  answers: ListChecks,
  review: Hourglass,
  promise: CalendarClock,
} as const;
const ROWS = [1, 2, 3, 4, 5, 6];

/** What the orders wait for, the nearest day first; each leads to its order. */
export function WhatIsDueCard({ due }: { due: UseQueryResult<WhatIsDue> }) {
  const { data } = due;
  return (
    <Card aria-labelledby="what-is-due" aria-busy={due.isPending}>
      <CardHead title="What is due" id="what-is-due">
        <AsOf at={due.dataUpdatedAt} />
        {data && data.owed > 0 && (
          <span className={styles.owed}>
            Owed now <strong className="num">{usd(data.owed)}</strong>
          </span>
        )}
      </CardHead>
      <div className={styles.body}>
        <Steps due={due} />
        {data && data.more > 0 && (
          <Link to="/invoice/0" className={styles.more}>
            {count(data.more)} more
          </Link>
        )}
      </div>
    </Card>
  );
}

function Steps({ due: { data, error, isFetching, refetch } }: { due: UseQueryResult<WhatIsDue> }) {
  if (!data && error) {
    return <RetryPanel error={error} busy={isFetching} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return (
      <Loading>
        {ROWS.map((row) => (
          <div key={row} className={styles.row}>
            <Skeleton width={34} height={34} radius={8} />
            <Skeleton width="60%" height={14} />
          </div>
        ))}
      </Loading>
    );
  }
  if (data.steps.length === 0) {
    return (
      <EmptyState
        icon={<CircleCheck size={28} strokeWidth={1.6} aria-hidden />}
        text="Nothing is due."
      >
        <p>Balances, answers and our promises stand here.</p>
      </EmptyState>
    );
  }
  return (
    <ul>
      {data.steps.map((step) => (
        <Row key={step.invoice_code} step={step} />
      ))}
    </ul>
  );
}

function Row({ step }: { step: Step }) {
  const { kind, tone, title, text, invoice_code, action } = step;
  const Icon = step.late && kind === "promise" ? TriangleAlert : ICONS[kind];
  const order = orderPath(invoice_code);
  const to = kind === "answers" ? `${order}&proposals=1` : order;
  return (
    <li className={styles.row}>
      <span className={styles.icon} data-tone={tone} aria-hidden>
        <Icon size={17} strokeWidth={1.8} />
      </span>
      <div className="shrink ink-3 text-13 break">
        <p className={styles.title}>{action ? title : <Link to={to}>{title}</Link>}</p>
        <p className="num">{text}</p>
      </div>
      <span className={styles.due} data-tone={step.late ? "bad" : tone}>
        {step.due}
      </span>
      {action && (
        <ButtonLink
          to={to}
          size="small"
          className={styles.action}
          aria-label={`${action}, ${invoice_code}`}
        >
          {action}
        </ButtonLink>
      )}
    </li>
  );
}
