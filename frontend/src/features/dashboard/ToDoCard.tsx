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
import type { Schemas } from "@/api/client";
import { count, counted, usd } from "@/domain/figures";
import { orderPath } from "@/domain/orders";
import { ButtonLink } from "@/shared/ui/Button";
import { Link } from "@/shared/ui/Link";
import { AsOf, Card, CardHead, EmptyState, Loaded } from "@/shared/ui/Panels";

export type WhatIsDue = Schemas["WhatIsDue"];
type Step = WhatIsDue["steps"][number];

const ICONS = {
  deposit_wire: Landmark,
  deposit: Landmark,
  balance: Banknote,
  answers: ListChecks,
  review: Hourglass,
  promise: CalendarClock,
} as const;

/** As many as the card keeps room for. */
const MOST = 4;

/** What the orders wait for: what the buyer does, the nearest day first; below it, folded, what the seller does. */
export function ToDoCard({ due }: { due: UseQueryResult<WhatIsDue> }) {
  const { data } = due;
  return (
    <Card aria-labelledby="to-do" aria-busy={due.isPending}>
      <CardHead title="To do" id="to-do">
        <AsOf at={due.dataUpdatedAt} />
        {data && data.owed > 0 && (
          <span className="text-ink-2 text-13">
            Outstanding{" "}
            <strong className="text-ink text-16 tabular-nums ml-4">{usd(data.owed)}</strong>
          </span>
        )}
      </CardHead>
      <Loaded query={due} height={190} className="divided min-h-283 phone:min-h-0">
        {(data) => <Steps due={data} />}
      </Loaded>
    </Card>
  );
}

function Steps({ due: { steps, more } }: { due: WhatIsDue }) {
  const todo = steps.filter(({ action }) => action);
  const own = todo.slice(0, MOST);
  const ours = steps.filter(({ action }) => !action);
  const others = more + todo.length - own.length;
  const rest = others > 0 && (
    <p className="px-card py-14">
      <Link to="/account/overview">{count(others)} more</Link>
    </p>
  );
  const late = ours.filter(({ late }) => late).length;
  return (
    <div className="divided min-h-283 phone:min-h-0">
      {own.length > 0 ? (
        <ul className="divided">
          {own.map((step) => (
            <Row key={step.invoice_code} {...step} />
          ))}
        </ul>
      ) : (
        <EmptyState icon={CircleCheck} text="Nothing for you to do." />
      )}
      {ours.length > 0 && (
        <details className="[&_summary]:cursor-pointer">
          <summary className="px-card py-14">
            With us: {counted(ours.length, "order")}
            {late > 0 && <strong className="text-bad">, {count(late)} late</strong>}
          </summary>
          <ul className="divided">
            {ours.map((step) => (
              <Row key={step.invoice_code} {...step} />
            ))}
          </ul>
          {rest}
        </details>
      )}
      {ours.length === 0 && rest}
    </div>
  );
}

function Row({ kind, tone, late, title, text, due, invoice_code, action }: Step) {
  const Icon = late && kind === "promise" ? TriangleAlert : ICONS[kind];
  const order = orderPath(invoice_code);
  const to = kind === "answers" ? `${order}&proposals=1` : order;
  return (
    <li
      className="grid items-center grid-cols-[34px_minmax(0,1fr)_auto_112px] gap-x-14 min-h-58 py-8
        px-card tablet:grid-cols-[34px_minmax(0,1fr)_auto] tablet:[&>a]:row-[1/3]
        tablet:[&>a]:col-3 small:[&>div]:col-[2/-1] small:[&>a]:row-2"
    >
      <span
        className="grid place-items-center rounded-2 w-34 h-34 bg-tone-bg
          text-[var(--tone,_var(--text-2))]"
        data-tone={tone}
        aria-hidden
      >
        <Icon size={17} />
      </span>
      <div className="min-w-0 text-ink-3 text-13 wrap-anywhere">
        <p className="text-ink font-medium text-14 [&_a]:text-inherit">
          {action ? title : <Link to={to}>{title}</Link>}
        </p>
        <p className="tabular-nums">{text}</p>
      </div>
      <span
        className="text-ink-2 text-13 font-medium text-right data-[tone=warn]:text-warn
          data-[tone=bad]:text-bad last:col-[3/-1] tablet:row-2 tablet:col-2 tablet:last:col-2
          tablet:text-left"
        data-tone={late ? "bad" : tone}
      >
        {due}
      </span>
      {action && (
        <ButtonLink to={to} size="small" aria-label={`${action}, ${invoice_code}`}>
          {action}
        </ButtonLink>
      )}
    </li>
  );
}
