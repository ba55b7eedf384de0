import { ChevronDown, CircleAlert } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
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
export function Field({
  label,
  error,
  hint,
  required = false,
  className,
  children,
}: FieldBase & { children: (control: ControlProps) => ReactNode }) {
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

export function TextField({
  label,
  error,
  hint,
  required,
  className,
  ...input
}: FieldProps<"input">) {
  return (
    <Field {...{ label, error, hint, className }} required={!!required}>
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

export function SelectField({
  label,
  error,
  hint,
  required,
  className,
  children,
  ...select
}: FieldProps<"select">) {
  return (
    <Field {...{ label, error, hint, className }} required={!!required}>
      {(control) => (
        <Select {...select} {...control}>
          {children}
        </Select>
      )}
    </Field>
  );
}

export function TextAreaField({
  label,
  error,
  hint,
  required,
  className,
  above,
  ...textarea
}: FieldProps<"textarea"> & { above?: ReactNode }) {
  return (
    <Field {...{ label, error, hint, className }} required={!!required}>
      {(control) => (
        <>
          {above}
          <textarea className={styles.control} rows={3} {...textarea} {...control} />
        </>
      )}
    </Field>
  );
}
