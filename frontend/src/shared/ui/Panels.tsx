import type { UseQueryResult } from "@tanstack/react-query";
import { type LucideIcon, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { useIsOnline } from "@/shared/online";
import { texts } from "@/shared/texts";
import { Button } from "./Button";
import { failureText } from "./failure";
import { Loading, Skeleton } from "./Skeleton";

/** Centred in a panel that has nothing to show: the icon (28 px) and the exact text. */
export function EmptyState({
  icon: Icon,
  text,
  children,
}: {
  icon: LucideIcon;
  text: string;
  children?: ReactNode;
}) {
  return (
    <div
      className="grid justify-items-center content-center gap-12 h-full text-ink-2 text-center
        min-h-180 p-24"
    >
      <Icon className="text-ink-3" size={28} strokeWidth={1.6} />
      <p className="text-ink serif-17 font-[500] leading-[1.4] text-balance">{text}</p>
      {children}
    </div>
  );
}

interface RetryPanelProps {
  onRetry: () => void;
  busy?: boolean;
  /** What it failed with. */
  error?: unknown;
}

/** In the place of what failed to load. */
export function RetryPanel({ onRetry, busy = false, error }: RetryPanelProps) {
  return (
    <div
      className="grid justify-items-center content-center gap-12 h-full text-ink-2 text-center
        min-h-180 p-24"
      role="alert"
    >
      <p>{failureText(error)}</p>
      <Button busy={busy} icon={<RotateCw />} onClick={onRetry}>
        {texts.tryAgain}
      </Button>
    </div>
  );
}

/** What is looked at of a query: one of a page, or one that comes by pages. */
export type Asked<Data> = Pick<
  UseQueryResult<Data>,
  "data" | "error" | "isError" | "isFetching"
> & {
  refetch: () => unknown;
};

/** In the place of what a query failed to load. */
export function QueryFailed({ query }: { query: Asked<unknown> }) {
  const { error, isFetching, refetch } = query;
  return <RetryPanel error={error} busy={isFetching} onRetry={() => void refetch()} />;
}

interface LoadedProps<Data> {
  query: Asked<Data>;
  /** Height in px of the grey block that stands for it. */
  height?: number;
  /** Of what holds that block. */
  className?: string | undefined;
  children: (data: Data) => ReactNode;
}

/** What a query has answered; until then that it loads, or that it failed and how to try again. */
export function Loaded<Data>(props: LoadedProps<Data>) {
  const { query, height = 140, className = "px-card py-14", children } = props;
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <QueryFailed query={query} />;
  return (
    <Loading className={className}>
      <Skeleton height={height} />
    </Loading>
  );
}

/** Beside a button that needs the server: why it is disabled. Nothing while there is a connection. */
export function OfflineReason({ text }: { text: string }) {
  return useIsOnline() ? null : (
    <p className="text-ink-3 text-13 text-center mt-8 text-balance">{text}</p>
  );
}

/** Beside a button whose call failed; renders nothing without a text. */
export function Failure({ text }: { text: string | undefined }) {
  return (
    <p role="status" className={text ? "text-bad text-13" : "sr-only"}>
      {text}
    </p>
  );
}
