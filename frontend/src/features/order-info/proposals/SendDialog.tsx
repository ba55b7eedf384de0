import { errorCode } from "@/api/client";
import { change, counted, usd } from "@/domain/figures";
import { Button } from "@/shared/ui/Button";
import { Dialog, type DialogState } from "@/shared/ui/Dialog";
import { failureText } from "@/shared/ui/failure";
import { toast } from "@/shared/ui/toasts";
import type { TotalProps } from "./NewTotal";
import { ANSWERS, type Choice, useSendAnswers } from "./proposals";

interface SendProps extends Omit<TotalProps, "onSend">, DialogState {
  invoiceCode: string;
  /** Who closed what is answered here and not sent, and when. */
  closed: readonly string[];
  onSent: () => void;
}

/** Asks once before the answers go out, with what they make of the order. */
export function SendDialog(props: SendProps) {
  const { invoiceCode, proposals, answers, totals, closed, onSent, ...state } = props;
  const sending = useSendAnswers(invoiceCode);
  const close = () => {
    sending.reset();
    state.onClose();
  };
  const dialog = { ...state, onClose: close };
  const title = `Send ${counted(answers.length, "answer")}?`;
  const rest = proposals.open - answers.filter(({ answer }) => answer !== "ask").length;
  const names = (answer: Choice["answer"]) =>
    answers
      .filter((entry) => entry.answer === answer)
      .map(({ proposal_id }) => proposals.proposals.find((one) => one.proposal_id === proposal_id))
      .map((proposal) => proposal?.eng_name)
      .join(" · ");
  const send = () =>
    sending.mutate(answers, {
      onSuccess: () => {
        toast("Your answers are sent.");
        onSent();
      },
    });
  if (answers.length === 0 && !sending.isPending) {
    return (
      <Dialog
        {...dialog}
        title="Nothing left to send"
        subline={`Order ${invoiceCode}`}
        footer={
          <Button variant="primary" onClick={close}>
            Back
          </Button>
        }
      >
        <p role="status">{sending.isError ? refusalText(sending.error) : closedText(closed)}</p>
      </Dialog>
    );
  }
  return (
    <Dialog
      {...dialog}
      width={580}
      title={title}
      subline={`Order ${invoiceCode}. Your answers are binding.${rest ? ` ${counted(rest, "line")} will stay open until ${proposals.deadline}.` : ""}`}
      footer={
        <>
          <Button onClick={close}>Back</Button>
          <Button variant="primary" busy={sending.isPending} onClick={send}>
            Send {counted(answers.length, "answer")}
          </Button>
        </>
      }
    >
      <dl
        className="[&_div]:flex [&_div]:gap-16 [&_div]:items-baseline [&_div]:justify-between
          border border-line rounded-2 divided [&_dd]:tabular-nums [&_dd]:font-medium
          [&_dd]:whitespace-nowrap [&_div]:py-10 [&_div]:px-14"
      >
        {(["accept", "decline", "ask"] as const).map((answer) => {
          const number = answers.filter((entry) => entry.answer === answer).length;
          if (!number) return null;
          return (
            <div key={answer}>
              <dt>
                <b>
                  {answer === "ask" ? counted(number, ANSWERS.ask) : `${number} ${ANSWERS[answer]}`}
                </b>
                <span className="block text-ink-2 text-13">{names(answer)}</span>
              </dt>
            </div>
          );
        })}
        <div>
          <dt>Your answers</dt>
          <dd>{change(totals.change)}</dd>
        </div>
        <div>
          <dt>
            <b>New total, goods</b>
          </dt>
          <dd>
            <b>{usd(totals.new_total)}</b>
          </dd>
        </div>
        <div>
          <dt>
            Balance, estimated
            <span className="block text-ink-2 text-13">
              Received {usd(totals.received)}; the shipping fee comes with the confirmation
            </span>
          </dt>
          <dd>{usd(totals.balance)}</dd>
        </div>
      </dl>
      {sending.isError && (
        <p role="alert" className="rounded-2 text-bad mt-12 px-12 py-10 bg-bad-bg">
          {refusalText(sending.error)}
        </p>
      )}
    </Dialog>
  );
}

function refusalText(error: unknown): string {
  const code = errorCode(error);
  if (code === "wrong_status") return "This order has changed in the meantime. Nothing was sent.";
  if (code !== "proposal_closed") return failureText(error);
  const { errors = {} } = error as { errors?: Record<string, string[]> };
  return closedText(Object.values(errors).flat());
}

/** Who closed proposals and when, each once. */
function closedText(closed: readonly string[]): string {
  return `${[...new Set(closed)].join(" ")} Nothing was sent. Go back and look at it again.`;
}
