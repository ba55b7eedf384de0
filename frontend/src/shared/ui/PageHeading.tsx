import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { config } from "@/shared/config";
import { useOnChange } from "@/shared/effects";
import styles from "./PageHeading.module.css";

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

interface PageHeadingProps {
  title: string;
  subline?: ReactNode;
  /** Buttons at the right. */
  children?: ReactNode;
}

/** Head row of a page: its one h1, which takes the focus after a navigation, and its actions. */
export function PageHeading({ title, subline, children }: PageHeadingProps) {
  useDocumentTitle(title);
  const heading = useHeadingFocus();
  return (
    <header className={styles.row}>
      <div className="flex flex-wrap items-baseline gap-10">
        <h1 ref={heading} className={styles.h1} tabIndex={-1}>
          {title}
        </h1>
        {subline && <p className={styles.subline}>{subline}</p>}
      </div>
      {children && <div className={styles.actions}>{children}</div>}
    </header>
  );
}
