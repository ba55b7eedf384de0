import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { config } from "@/shared/config";
import { cx } from "@/shared/cx";
import { useOnChange } from "@/shared/effects";
import styles from "./PageBar.module.css";

/** Sets the document title: the page's own before the platform's; without one, title and sub-title. */
export function useDocumentTitle(page?: string): void {
  useEffect(() => {
    const { title, subtitle } = config();
    const parts = page ? [page, title] : [title, subtitle];
    document.title = parts.filter(Boolean).join(" · ");
  }, [page]);
}

let firstPage: string | undefined;

/** Gives a page's h1 the focus when the visitor navigated to it, but not on the first page of a load. */
export function useHeadingFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key } = useLocation();
  // Once per page, when its h1 appears.
  useOnChange(heading, () => {
    firstPage ??= key;
    const dialogOpen = document.querySelector("[role=dialog], [role=alertdialog]");
    if (key !== firstPage && !dialogOpen) heading.current?.focus();
  });
  return heading;
}

interface PageTitleProps {
  text: string;
  className?: string;
}

/** The one h1 of a page: the document is called so, and after a navigation it has the focus. */
export function PageTitle({ text, className }: PageTitleProps) {
  useDocumentTitle(text);
  const heading = useHeadingFocus();
  return (
    <h1 ref={heading} className={className} tabIndex={-1}>
      {text}
    </h1>
  );
}

interface PageHeadingProps {
  title: string;
  subline?: ReactNode;
  /** Buttons at the right. */
  children?: ReactNode;
}

/** Head row of a page: its title and its actions. */
export function PageHeading({ title, subline, children }: PageHeadingProps) {
  return (
    <header className="flex flex-none items-center justify-between gap-12 min-h-36 below-360:gap-8">
      <div className="flex flex-wrap items-baseline gap-10">
        <PageTitle
          text={title}
          className="serif-26 font-[520] leading-[1.25] tracking-serif phone:text-23
            below-360:text-18"
        />
        {subline && <p className="text-ink-3 tabular-nums text-14">{subline}</p>}
      </div>
      {children && <div className="flex gap-10 below-360:gap-6">{children}</div>}
    </header>
  );
}

/** Leads from the keyboard's first stop past the menu to the page's `main`, or past more to another place. */
export function SkipLink({ to = "main", text = "Skip to content" }) {
  return (
    <a
      className="z-[calc(var(--z-header)+1)] fixed rounded-2 bg-surface top-8 left-8 py-10 px-14
        shadow-menu not-focus:[clip-path:inset(50%)] not-focus:pointer-events-none paper:hidden"
      href={`#${to}`}
    >
      {text}
    </a>
  );
}

interface PageBarProps {
  label: ReactNode;
  amount: string;
  className?: string | undefined;
  children: ReactNode;
}

/** What stays in sight below a phone's page: the amount, what it is, and the button that goes on. */
export function PageBar({ label, amount, className, children }: PageBarProps) {
  return (
    <div className={cx(styles.bar, className)}>
      <div>
        <div className="text-ink-2 text-13 tabular-nums">{label}</div>
        <strong className={cx(styles.amount, "tabular-nums")}>{amount}</strong>
      </div>
      {children}
    </div>
  );
}
