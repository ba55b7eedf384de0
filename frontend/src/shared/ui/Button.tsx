import type { ComponentProps, ReactNode, Ref } from "react";
import { Link, type LinkProps } from "react-router";
import { cx } from "@/shared/cx";
import styles from "./Button.module.css";
import { Spinner } from "./Spinner";

interface Look {
  /** One `primary` per view; `soft` for Select; `ghost` for quiet actions. */
  variant?: "primary" | "outline" | "soft" | "ghost";
  size?: "small" | "medium" | "large";
  /** Full width. */
  wide?: boolean;
  /** A square button; the label must then come from `aria-label`. */
  square?: boolean;
  icon?: ReactNode;
}

function look({ variant = "outline", size = "medium", wide, square }: Look, className?: string) {
  return cx(
    styles.button,
    styles[variant],
    styles[size],
    wide && styles.wide,
    square && styles.square,
    className,
  );
}

export interface ButtonProps extends ComponentProps<"button">, Look {
  /** A call is under way: spinner before the label, the label unchanged, no second click. */
  busy?: boolean;
}

export function Button({
  variant,
  size,
  wide,
  square,
  icon,
  busy = false,
  disabled,
  className,
  children,
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      className={look(
        { ...(variant && { variant }), ...(size && { size }), wide: !!wide, square: !!square },
        className,
      )}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

export interface ButtonLinkProps extends LinkProps, Look {
  ref?: Ref<HTMLAnchorElement>;
}

/** A link that looks like a button. */
export function ButtonLink({
  variant,
  size,
  wide,
  square,
  icon,
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <Link
      className={look(
        { ...(variant && { variant }), ...(size && { size }), wide: !!wide, square: !!square },
        className,
      )}
      {...rest}
    >
      {icon}
      {children}
    </Link>
  );
}
