import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useEffect } from "react";
import { useUser } from "@/api/session";
import { useDraft } from "@/shared/drafts";
import { limits } from "@/shared/limits";
import { outbox, type Waiting } from "@/shared/outbox";
import * as texts from "@/shared/texts";
import { alert, alertSuccess } from "@/shared/ui/alerts";
import { Button } from "@/shared/ui/Button";
import { Form, TextAreaField } from "@/shared/ui/Field";
import { RestoredLine } from "@/shared/ui/RestoredLine";
import { toast } from "@/shared/ui/toasts";
import { useSendText } from "./mutations";
import type { Order } from "./queries";

const WILL_BE_SENT = "Will be sent";
const KEPT = "Saved as a draft until you send it";
const NOT_SENT = "Not sent: this order no longer accepts messages";
const Conversation = lazy(() => import("./Conversation"));

/** 'Request For Shipping': the latest request, which can be changed while the server allows it; no box for none. */
export function ShippingRequestBox({ order }: { order: Order }) {
  const latest = useWaiting(order.invoice_code, "shipping").at(-1);
  const memo = useText(order, "shipping", latest ? latest.text : order.ship_memo);
  const readOnly = !order.allowed.edit_ship_memo;
  if (readOnly && !memo.draft.value) return null;
  return (
    <MemoBox
      label="Request For Shipping"
      button="send"
      {...memo}
      readOnly={readOnly}
      hint={latest && WILL_BE_SENT}
    />
  );
}

/** What was said on an order, alone: no message can be written any more. */
export function PastConversation({ order }: { order: Order }) {
  return (
    <Suspense fallback={null}>
      <Conversation invoiceCode={order.invoice_code} titled />
    </Suspense>
  );
}

/** 'Message': the conversation with the seller, and a new message to it while the order takes one. */
export function MessageBox({ order }: { order: Order }) {
  const waiting = useWaiting(order.invoice_code, "message");
  const memo = useText(order, "message", "");
  const readOnly = !order.allowed.message;
  if (readOnly && !memo.draft.value) return <PastConversation order={order} />;
  return (
    <MemoBox
      label="Message"
      button="Send"
      {...memo}
      readOnly={readOnly}
      above={
        <>
          <Suspense fallback={null}>
            <Conversation invoiceCode={order.invoice_code} />
          </Suspense>
          {waiting.map(({ id, text }) => (
            <p
              key={id}
              className="rounded-3 text-ink-2 wrap-anywhere mb-8 ml-32 py-8 px-12 border border-dashed
                border-line-2 whitespace-pre-wrap"
            >
              {text}
              <span className="block text-ink-3 text-12">{WILL_BE_SENT}</span>
            </p>
          ))}
        </>
      }
    />
  );
}

/** A text of an order that comes back until it is sent, or waits for a connection. */
function useText({ invoice_code }: Order, kind: "message" | "shipping", initial: string) {
  const sending = useSendText(invoice_code, kind);
  const draft = useDraft({ owner: useUser().uuid, form: `${kind}:${invoice_code}`, initial });
  const send = async (text: string) => {
    const outcome = await sending.mutateAsync(text);
    draft.forget();
    if (outcome === "sent") await alertSuccess(texts.messageRegistered);
    else toast("You are offline. This will be sent when you are back.");
    draft.clear();
  };
  const isSent = initial !== "" && draft.value.trim() === initial;
  return { draft, send, isSent, busy: sending.isPending };
}

interface MemoBoxProps extends ReturnType<typeof useText> {
  label: string;
  button: string;
  readOnly: boolean;
  /** Between the label and the box. */
  above?: ReactNode;
  hint?: string | undefined;
}

/**
 * A text with its button; Ctrl or Cmd with Enter sends too. An empty text is refused, and what the
 * seller has already cannot be sent again.
 */
function MemoBox(props: MemoBoxProps) {
  const { label, button, draft, send, isSent, busy, readOnly, above, hint } = props;
  const text = draft.value;
  const submit = async () => {
    if (isSent) return;
    if (!text.trim()) return alert(texts.enterMessage);
    await send(text.trim()).catch(() => undefined);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!readOnly) event.currentTarget.form?.requestSubmit();
  };
  return (
    <section className="px-card py-14">
      <Form className="grid gap-10 [&>button]:justify-self-end" onSend={submit}>
        <TextAreaField
          label={label}
          above={
            <>
              {above}
              <RestoredLine form={draft} />
            </>
          }
          hint={draft.isKept ? (readOnly ? NOT_SENT : KEPT) : hint}
          rows={2}
          maxLength={limits.length.memo}
          value={text}
          onChange={({ target }) => draft.update(() => target.value)}
          onKeyDown={onKeyDown}
          readOnly={readOnly}
        />
        {!readOnly && (
          <Button type="submit" size="small" busy={busy} disabled={isSent}>
            {button}
          </Button>
        )}
      </Form>
    </section>
  );
}

type WaitingText = Extract<Waiting, { text: string }>;

/** What this buyer wrote on an order and is not sent yet, the oldest first. */
function useWaiting(invoiceCode: string, kind: WaitingText["kind"]): readonly WaitingText[] {
  const owner = useUser().uuid;
  const { data = [], refetch } = useQuery({
    queryKey: ["outbox", owner],
    queryFn: () => outbox.list(owner).catch(() => []),
    refetchOnMount: "always",
  });
  useEffect(() => outbox.subscribe(() => void refetch()), [refetch]);
  return data.filter(
    (one): one is WaitingText => one.kind === kind && one.invoiceCode === invoiceCode,
  );
}
