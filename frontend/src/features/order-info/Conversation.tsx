import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Schemas } from "@/api/client";
import { momentHere } from "@/domain/figures";
import { cx } from "@/shared/cx";
import { useInView } from "@/shared/effects";
import { Button } from "@/shared/ui/Button";
import { QueryFailed } from "@/shared/ui/Panels";
import { readAnswer } from "./mutations";
import { conversation } from "./queries";

/** What the company and the seller wrote to each other on an order, the newest at the bottom. */
export default function Conversation({ invoiceCode, titled }: ConversationProps) {
  const thread = useInfiniteQuery(conversation(invoiceCode));
  const log = useRef<HTMLDivElement>(null);
  const messages = thread.data?.pages.toReversed().flatMap((page) => page.messages) ?? [];
  const newest = messages.at(-1)?.message_id;
  const unread = thread.data?.pages[0]?.unread;
  useEffect(() => {
    if (newest && log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [newest]);
  if (thread.isError && messages.length === 0) return <QueryFailed query={thread} />;
  if (messages.length === 0) return null;
  const shown = (
    <div
      ref={log}
      role="log"
      aria-label="Conversation"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
      tabIndex={0}
      className="grid gap-10 overflow-auto rounded-2 max-h-420 mb-10"
    >
      {thread.hasNextPage && (
        <Button
          size="small"
          busy={thread.isFetchingNextPage}
          onClick={() => void thread.fetchNextPage()}
        >
          Earlier messages
        </Button>
      )}
      {messages.map((message) => (
        <Message
          key={message.message_id}
          message={message}
          isUnread={message.message_id === unread}
          onSeen={() => readAnswer(invoiceCode, message.message_id)}
        />
      ))}
    </div>
  );
  if (!titled) return shown;
  return (
    <section className="px-card py-14">
      <h3 className="text-13">Message</h3>
      {shown}
    </section>
  );
}

interface ConversationProps {
  invoiceCode: string;
  /** With a heading of its own: it stands alone, where no message can be written any more. */
  titled?: boolean;
}

interface MessageProps {
  message: Schemas["ConversationMessage"];
  isUnread: boolean;
  /** Called once when what is unread comes into view. */
  onSeen: () => void;
}

function Message({ message, isUnread, onSeen }: MessageProps) {
  const { kind, name, is_own, at, text } = message;
  const bubble = useRef<HTMLDivElement>(null);
  useInView(bubble, isUnread, onSeen);
  return (
    <div
      ref={bubble}
      className={cx(
        "rounded-2 text-13 w-fit max-w-[88%] py-8 px-12",
        kind === "answer" ? "bg-sunken" : "justify-self-end bg-accent-soft",
      )}
    >
      <p className="text-ink-2 text-12">
        {is_own ? "You" : name}
        {kind === "shipping" && " · Request For Shipping"} ·{" "}
        <time dateTime={at}>{momentHere(at)}</time>
      </p>
      <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
    </div>
  );
}
