import { Check, ClipboardList, Copy } from "lucide-react";
import { type ReactNode, useState } from "react";
import { cx } from "@/shared/cx";
import { Button } from "@/shared/ui/Button";
import { useTimeout } from "@/shared/use-timeout";
import styles from "./CopyValue.module.css";

const COPIED_MS = 2_000;

/** Copies a text; `copied` holds until `forget` is called. */
function useCopy(text: string) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return { copied, copy: () => void copy(), forget: () => setCopied(false) };
}

/** Says "Copied" for two seconds. */
function Copied({ onEnd }: { onEnd: () => void }) {
  useTimeout(onEnd, COPIED_MS);
  return "Copied";
}

interface ValueProps {
  label: string;
  value: string;
  /** Beside the value. */
  children?: ReactNode;
}

/** A value under its label, as a term of a list. */
export function Value({ label, value, children }: ValueProps) {
  return (
    <div className={styles.value}>
      <dt>{label}</dt>
      <dd>
        <span className={cx(styles.text, "num")}>{value}</span>
        {children}
      </dd>
    </div>
  );
}

/** The same with a button that copies it. */
export function CopyValue({ label, value }: { label: string; value: string }) {
  const { copied, copy, forget } = useCopy(value);
  return (
    <Value label={label} value={value}>
      <button type="button" onClick={copy} title={`Copy ${label.toLowerCase()}`}>
        {copied ? (
          <Check size={16} strokeWidth={1.8} aria-hidden />
        ) : (
          <Copy size={16} strokeWidth={1.8} aria-hidden />
        )}
        <span className="visually-hidden">Copy {label.toLowerCase()}</span>
      </button>
      <span className="visually-hidden" aria-live="polite">
        {copied && <Copied onEnd={forget} />}
      </span>
    </Value>
  );
}

/** Copies all values, a line each. */
export function CopyAll({
  facts,
  className,
}: {
  facts: readonly (readonly [string, string])[];
  className: string | undefined;
}) {
  const { copied, copy, forget } = useCopy(
    facts.map(([label, value]) => `${label}: ${value}`).join("\n"),
  );
  const Icon = copied ? Check : ClipboardList;
  return (
    <Button
      size="small"
      className={className}
      onClick={copy}
      icon={<Icon size={16} strokeWidth={1.8} aria-hidden />}
    >
      {copied ? <Copied onEnd={forget} /> : "Copy all"}
    </Button>
  );
}
