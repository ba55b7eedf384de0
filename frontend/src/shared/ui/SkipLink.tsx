import { cx } from "@/shared/cx";

/** Leads from the keyboard's first stop past the menu to the page's `main`, or past more to another place. */
export function SkipLink({ to = "main", text = "Skip to content" }) {
  return (
    <a
      className={cx(
        "z-[calc(var(--z-header)+1)] fixed rounded-2 bg-surface top-8 left-8 py-10 px-14 shadow-menu",
        "not-focus:[clip-path:inset(50%)] not-focus:pointer-events-none paper:hidden",
      )}
      href={`#${to}`}
    >
      {text}
    </a>
  );
}
