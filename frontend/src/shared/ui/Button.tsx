import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "@/shared/cx";
import styles from "./Button.module.css";
import { Link, type LinkProps } from "./Link";

interface Look {
  /** One `primary` per view; `soft` for Select; `ghost` for quiet actions. */
  variant?: "primary" | "outline" | "soft" | "ghost";
  size?: "small" | "medium" | "large";
  wide?: boolean;
  /** A square button; the label must then come from `aria-label`. */
  square?: boolean;
  icon?: ReactNode;
}

/** Properties with their look turned into the class name. */
function dressed<Props extends Look & { className?: string | undefined }>(props: Props) {
  const { variant = "outline", size = "medium", wide, square, className, ...rest } = props;
  const looks = [styles[variant], styles[size], wide && styles.wide, square && styles.square];
  return { ...rest, className: cx(styles.button, ...looks, className) };
}

export interface ButtonProps extends ComponentProps<"button">, Look {
  /** A call is under way: spinner before the label, the label unchanged, no second click. */
  busy?: boolean;
}

export function Button(props: ButtonProps) {
  const { icon, busy = false, disabled, children, type = "button", ...rest } = props;
  return (
    <button
      type={type}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...dressed(rest)}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

/** A link to a screen of the portal that looks like a button. */
export function ButtonLink({ icon, children, ...rest }: LinkProps & Look) {
  return (
    <Link {...dressed(rest)}>
      {icon}
      {children}
    </Link>
  );
}

/** A link to a file, which the browser fetches, that looks like a button. */
export function FileLink({ icon, children, ...rest }: ComponentProps<"a"> & Look) {
  return (
    <a {...dressed(rest)}>
      {icon}
      {children}
    </a>
  );
}

interface IconButtonProps extends Omit<ButtonProps, "icon"> {
  icon: LucideIcon;
  label: string;
}

/** A quiet action of a row that an icon alone stands for. */
export function IconButton({ icon: Icon, label, ...button }: IconButtonProps) {
  return (
    <Button square size="small" variant="ghost" aria-label={label} icon={<Icon />} {...button} />
  );
}

/** Decorative; the element that is busy says so itself with `aria-busy`. */
export function Spinner() {
  return (
    <span
      className="animate-turn flex-none rounded-pill w-[1em] h-[1em] border-2 border-current
        border-r-transparent"
      aria-hidden
    />
  );
}
