import { Send } from "lucide-react";
import { change, counted, usd } from "@/domain/figures";
import { cx } from "@/shared/cx";
import { useIsOnline } from "@/shared/online";
import { Button } from "@/shared/ui/Button";
import { PageBar } from "@/shared/ui/Page";
import { Card, CardHead } from "@/shared/ui/Panels";
import styles from "./Proposals.module.css";
import type { Answers, NewTotals, Proposals } from "./proposals";

export interface TotalProps {
  proposals: Proposals;
  answers: Answers;
  /** With these answers. */
  totals: NewTotals;
  onSend: () => void;
}

/** Why the answers cannot be sent now, empty where they can. */
function useObstacle(answers: Answers): string {
  const isOnline = useIsOnline();
  if (!isOnline) return "Answering needs a connection.";
  if (answers.length === 0) return "Choose an answer first.";
  const isMute = answers.some(({ answer, question }) => answer === "ask" && !question.trim());
  return isMute ? "Write your question first." : "";
}

/** The card that stays in sight on a desktop. */
export function NewTotal(props: TotalProps) {
  const { proposals, totals } = props;
  return (
    <Card
      // The card beside the proposals, and on a phone the bar below them.
      className="sticky top-[calc(var(--h-header)_+_var(--gap))] phone:static"
      aria-labelledby="new-total"
    >
      <CardHead title="New total" id="new-total" />
      <dl
        className={cx(
          styles.sums,
          "grid gap-10 py-16 px-card",
          "[&_dd]:tabular-nums [&_dd]:font-medium [&_dd]:whitespace-nowrap",
        )}
        aria-live="polite"
      >
        <div>
          <dt>Order as it stands</dt>
          <dd>{usd(totals.real_total)}</dd>
        </div>
        <div>
          <dt>Your answers so far</dt>
          <dd>{change(totals.change)}</dd>
        </div>
        <div className={styles.sum}>
          <dt>New total, goods</dt>
          <dd>{usd(totals.new_total)}</dd>
        </div>
        {totals.overpayment > 0 ? (
          <div>
            <dt>Credit to your wallet</dt>
            <dd>{usd(totals.overpayment)}</dd>
          </div>
        ) : (
          <div>
            <dt>Balance, before shipping</dt>
            <dd>{usd(totals.balance)}</dd>
          </div>
        )}
      </dl>
      {proposals.open > 0 && (
        <div className="grid gap-10 pb-18 px-card phone:hidden">
          <Answered {...props} />
          <SendButton {...props} wide />
        </div>
      )}
    </Card>
  );
}

/** The bar that stays in sight on a phone. */
export function SendBar(props: TotalProps) {
  return (
    <PageBar label={<Answered {...props} />} amount={usd(props.totals.new_total)}>
      <SendButton {...props} />
    </PageBar>
  );
}

/** How many are answered; where some cannot be sent as they are, why. */
function Answered({ proposals, answers }: TotalProps) {
  const reason = useObstacle(answers);
  if (reason && answers.length > 0) return <p>{reason}</p>;
  if (answers.length === 0) return <p>{counted(proposals.open, "answer")} needed</p>;
  return (
    <p>
      <b>
        {answers.length} of {proposals.open}
      </b>{" "}
      answered
    </p>
  );
}

function SendButton({ answers, onSend, wide = false }: TotalProps & { wide?: boolean }) {
  const reason = useObstacle(answers);
  return (
    <Button
      variant="primary"
      size="large"
      wide={wide}
      disabled={Boolean(reason)}
      title={reason || undefined}
      icon={<Send />}
      onClick={onSend}
    >
      Send {answers.length > 0 ? counted(answers.length, "answer") : "answers"}
    </Button>
  );
}
