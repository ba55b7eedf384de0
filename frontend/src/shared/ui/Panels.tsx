import type { UseQueryResult } from "@tanstack/react-query";
import { type LucideIcon, RotateCw } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { shortMoment } from "@/domain/figures";
import { cx } from "@/shared/cx";
import { useIsOnline } from "@/shared/online";
import * as texts from "@/shared/texts";
import { Button } from "./Button";
import { failureText } from "./failure";

const CENTRED =
  "grid justify-items-center content-center gap-12 h-full text-ink-2 text-center min-h-180 p-24";

interface EmptyStateProps {
  icon: LucideIcon;
  text: string;
  children?: ReactNode;
}

/** Centred in a panel that has nothing to show: the icon (28 px) and the exact text. */
export function EmptyState({ icon: Icon, text, children }: EmptyStateProps) {
  return (
    <div className={CENTRED}>
      <Icon className="text-ink-3" size={28} strokeWidth={1.6} />
      <p className="text-ink serif-17 font-[500] leading-[1.4] text-balance">{text}</p>
      {children}
    </div>
  );
}

interface RetryPanelProps {
  onRetry: () => void;
  busy?: boolean;
  error?: unknown;
}

/** In the place of what failed to load. */
export function RetryPanel({ onRetry, busy = false, error }: RetryPanelProps) {
  return (
    <div className={CENTRED} role="alert">
      <p>{failureText(error)}</p>
      <Button busy={busy} icon={<RotateCw />} onClick={onRetry}>
        {texts.tryAgain}
      </Button>
    </div>
  );
}

/** What is looked at of a query: one of a page, or one that comes by pages. */
export type QueryState<Data> = Pick<
  UseQueryResult<Data>,
  "data" | "error" | "isError" | "isFetching"
> & {
  refetch: () => unknown;
};

export function QueryFailed({ query }: { query: QueryState<unknown> }) {
  const { error, isFetching, refetch } = query;
  return <RetryPanel error={error} busy={isFetching} onRetry={() => void refetch()} />;
}

interface LoadedProps<Data> {
  query: QueryState<Data>;
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

/** Beside a button whose call failed: this text, or what is said of the error; nothing without one. */
export function Failure({ text, error }: { text?: string | undefined; error?: unknown }) {
  const message = text ?? (error ? failureText(error) : undefined);
  return (
    <p role="status" className={message ? "text-bad text-13" : "sr-only"}>
      {message}
    </p>
  );
}

interface SkeletonProps {
  width?: number | string;
  height?: number | string;
  radius?: number;
}

/** A grey block with the geometry of what is loading; sizes in px or any CSS length. */
export function Skeleton({ width = "100%", height = 14, radius = 6 }: SkeletonProps) {
  return (
    <span
      className="block bg-mute max-w-full animate-pulse"
      style={{ width, height, borderRadius: radius }}
    />
  );
}

interface LoadingProps {
  label?: string;
  className?: string | undefined;
  children?: ReactNode;
}

/** Container of skeletons: busy for assistive technology, visible after 150 ms. */
export function Loading({ label = "Loading", className, children }: LoadingProps) {
  return (
    <div className={cx("animate-appear", className)} aria-busy="true">
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}

/** Without a connection: how old that is what is shown. `at` in milliseconds since 1970, 0 for nothing shown. */
export function AsOf({ at }: { at: number }) {
  if (useIsOnline() || at === 0) return null;
  return (
    <span className="text-ink-3 text-12 whitespace-nowrap inline-block mr-8 leading-[24px]">
      As of {shortMoment(new Date(at), ", ")}
    </span>
  );
}

/** A white panel; a landmark when it carries `aria-label` or `aria-labelledby`. */
export function Card({ className, ...rest }: ComponentProps<"section">) {
  return (
    <section
      className={cx(
        "flex flex-col min-w-0 min-h-0 overflow-hidden border border-line rounded-3 bg-surface",
        className,
      )}
      {...rest}
    />
  );
}

interface CardHeadProps {
  title: ReactNode;
  id?: string;
  children?: ReactNode;
}

/** Head of a card: its h2 left, figures or actions right. */
export function CardHead({ title, id, children }: CardHeadProps) {
  return (
    <header
      className="flex flex-none items-center justify-between gap-12 border-b border-line min-h-58
        py-8 px-card across:min-h-46 across:py-0"
    >
      <h2 className="flex items-center gap-8 text-15" id={id}>
        {title}
      </h2>
      {children}
    </header>
  );
}

/** How many, beside a title. */
export function CountPill({ children }: { children: ReactNode }) {
  return (
    <span
      className="flex-none place-items-center rounded-pill text-12 font-bold inline-grid min-w-22
        h-22 px-6 bg-brand text-on-brand tabular-nums"
    >
      {children}
    </span>
  );
}
