import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { useIsOnline } from "@/shared/online";
import { texts } from "@/shared/texts";
import { Button } from "./Button";
import { failureText } from "./failure";

/** Centred in a panel that has nothing to show: the icon (28 px) and the exact text. */
export function EmptyState({
  icon,
  text,
  children,
}: {
  icon: ReactNode;
  text: string;
  children?: ReactNode;
}) {
  return (
    <div
      className="grid justify-items-center content-center gap-12 h-full text-ink-2 text-center
        min-h-180 p-24"
    >
      <span className="text-ink-3">{icon}</span>
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
      <Button
        busy={busy}
        icon={<RotateCw size={16} strokeWidth={1.8} aria-hidden />}
        onClick={onRetry}
      >
        {texts.tryAgain}
      </Button>
    </div>
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
