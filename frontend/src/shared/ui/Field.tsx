import { ChevronDown, CircleAlert } from "lucide-react";
import { type ComponentProps, type ReactNode, useId, useRef } from "react";
import { cx } from "@/shared/cx";
import styles from "./Field.module.css";

/** What a control inside a field must carry. */
export interface ControlProps {
  id: string;
  required?: true;
  "aria-invalid"?: true;
  "aria-describedby"?: string;
}

interface FieldBase {
  label: string;
  /** Shown under the control; the control is then marked invalid. */
  error?: string | undefined;
  hint?: ReactNode;
  required?: boolean;
  className?: string | undefined;
}

/** Label above, control, hint and error below, tied together for assistive technology. */
export function Field(props: FieldBase & { children: (control: ControlProps) => ReactNode }) {
  const { label, error, hint, required = false, className, children } = props;
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const described = cx(hint ? hintId : null, error ? errorId : null);
  return (
    <div className={cx("flex flex-col min-w-0", className)}>
      <label className="text-13 font-medium mb-6" htmlFor={id}>
        {label}
        {required && (
          <span className="ml-4 text-bad" aria-hidden>
            *
          </span>
        )}
      </label>
      {children({
        id,
        ...(required && { required: true }),
        ...(error && { "aria-invalid": true }),
        ...(described && { "aria-describedby": described }),
      })}
      {hint && (
        <p className="text-ink-3 text-12 mt-6" id={hintId}>
          {hint}
        </p>
      )}
      {error && (
        <p className="flex text-bad text-13 gap-5 mt-5 [&_svg]:flex-none [&_svg]:mt-2" id={errorId}>
          <CircleAlert size={15} />
          {error}
        </p>
      )}
    </div>
  );
}

type FieldProps<Control extends "input" | "select" | "textarea"> = FieldBase &
  Omit<ComponentProps<Control>, "id" | "required" | "className">;

/**
 * What the field around a control shows, and the control's own properties. A text that is too long stands there, and that
 * it is too long: a browser that is told would cut what is pasted without a word.
 */
function split<Own extends FieldBase & { value?: unknown; maxLength?: number | undefined }>({
  label,
  error,
  hint,
  required,
  className,
  maxLength = Infinity,
  ...own
}: Own) {
  const isTooLong = typeof own.value === "string" && [...own.value].length > maxLength;
  const fault = isTooLong ? `Ensure this field has no more than ${maxLength} characters.` : error;
  return [{ label, error: fault, hint, className, required: !!required }, own] as const;
}

export function TextField(props: FieldProps<"input">) {
  const [field, input] = split(props);
  return (
    <Field {...field}>
      {(control) => <input className={styles.control} type="text" {...input} {...control} />}
    </Field>
  );
}

/** The control alone, for a bar that has no room for a label above: name it by `aria-label`. */
export function Select({ className, ...select }: ComponentProps<"select">) {
  return (
    <span className={cx(styles.select, className)}>
      <select className={styles.control} {...select} />
      <ChevronDown />
    </span>
  );
}

/** The choices of a select, each its value and what it is called. */
export function Options({ of }: { of: readonly (readonly [string | number, string])[] }) {
  return of.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

export function SelectField(props: FieldProps<"select">) {
  const [field, select] = split(props);
  return <Field {...field}>{(control) => <Select {...select} {...control} />}</Field>;
}

export function TextAreaField({ above, ...props }: FieldProps<"textarea"> & { above?: ReactNode }) {
  const [field, textarea] = split(props);
  return (
    <Field {...field}>
      {(control) => (
        <>
          {above}
          <textarea className={styles.control} rows={3} {...textarea} {...control} />
        </>
      )}
    </Field>
  );
}

interface DayFieldsProps {
  /** `YYYY-MM-DD`, or empty. */
  since: string;
  until: string;
  onChange: (changes: { since?: string; until?: string }) => void;
}

/** From which day to which; a first day after the last one is said. */
export function DayFields({ since, until, onChange }: DayFieldsProps) {
  return (
    <>
      <TextField
        label="From"
        type="date"
        error={until !== "" && since > until ? "“From” is after “To”." : undefined}
        value={since}
        onChange={({ target }) => onChange({ since: target.value })}
      />
      <TextField
        label="To"
        type="date"
        value={until}
        onChange={({ target }) => onChange({ until: target.value })}
      />
    </>
  );
}

/** A form that is sent by `onSend`, and not once more before that is done: a button shows late that it is busy. */
export function Form({ onSend, ...form }: ComponentProps<"form"> & { onSend: () => unknown }) {
  const sending = useRef(false);
  const send = async () => {
    if (sending.current) return;
    sending.current = true;
    try {
      await onSend();
    } finally {
      sending.current = false;
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      {...form}
    />
  );
}

/** A native checkbox with its text as label. */
export function Checkbox({
  children,
  ...input
}: Omit<ComponentProps<"input">, "type" | "className"> & { children: ReactNode }) {
  return (
    <label className="inline-flex gap-10 cursor-pointer items-start min-h-24 phone:py-11">
      <input
        type="checkbox"
        className="flex-none w-18 h-18 mt-1 mb-0 mx-0 accent-graphic
          phone:w-22 phone:h-22 phone:m-0"
        {...input}
      />
      <span>{children}</span>
    </label>
  );
}
