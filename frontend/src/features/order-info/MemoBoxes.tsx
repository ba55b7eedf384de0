import { type KeyboardEvent, type ReactNode, useState } from "react";
import { limits } from "@/shared/limits";
import { pageTexts } from "@/shared/page-texts";
import { alert, alertDone } from "@/shared/ui/alerts";
import { Button } from "@/shared/ui/Button";
import { TextAreaField } from "@/shared/ui/Field";
import styles from "./MemoBoxes.module.css";
import { useRequestShipping, useSendMessage } from "./mutations";
import type { Order } from "./queries";
import { Section } from "./Section";

/** 'Request For Shipping': the latest request, which can be changed while the server allows it. */
export function ShippingRequestBox({ order }: { order: Order }) {
  const request = useRequestShipping(order.invoice_code);
  const [draft, setDraft] = useState<string>();
  return (
    <MemoBox
      label="Request For Shipping"
      button="send"
      text={draft ?? order.ship_memo}
      onChange={setDraft}
      send={async (text) => {
        await request.mutateAsync(text);
        await alertDone(pageTexts.messageRegistered);
        setDraft(undefined);
      }}
      busy={request.isPending}
      readOnly={!order.allowed.edit_ship_memo}
    />
  );
}

/** 'Message': a new message to the seller; the latest one stands above it. */
export function MessageBox({ order }: { order: Order }) {
  const message = useSendMessage(order.invoice_code);
  const [draft, setDraft] = useState("");
  return (
    <MemoBox
      label="Message"
      button="Send"
      text={draft}
      onChange={setDraft}
      send={async (text) => {
        await message.mutateAsync(text);
        await alertDone(pageTexts.messageRegistered);
        setDraft("");
      }}
      busy={message.isPending}
    >
      {order.customer_memo && (
        <p className={styles.latest}>
          <span className={styles.caption}>Latest message</span>
          {order.customer_memo}
        </p>
      )}
    </MemoBox>
  );
}

interface MemoBoxProps {
  label: string;
  /** The button's text. */
  button: string;
  text: string;
  onChange: (text: string) => void;
  /** Sends the text; rejects when that failed, which has been told by then. */
  send: (text: string) => Promise<void>;
  busy: boolean;
  readOnly?: boolean;
  children?: ReactNode;
}

/** A text with its button; Ctrl or Cmd with Enter sends too. An empty text is refused. */
function MemoBox({ label, button, text, onChange, send, busy, readOnly, children }: MemoBoxProps) {
  const submit = async () => {
    if (busy || readOnly) return;
    if (!text.trim()) {
      await alert(pageTexts.enterMessage);
      return;
    }
    await send(text.trim()).catch(() => undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void submit();
  };
  return (
    <Section>
      <form
        className={styles.box}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {children}
        <TextAreaField
          label={label}
          rows={2}
          maxLength={limits.length.memo}
          value={text}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKeyDown}
          readOnly={readOnly}
        />
        {!readOnly && (
          <Button type="submit" size="small" busy={busy}>
            {button}
          </Button>
        )}
      </form>
    </Section>
  );
}
