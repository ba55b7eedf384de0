import { config } from "@/shared/config";
import { cx } from "@/shared/cx";

/** The seller's logo, else its name. */
export function Wordmark() {
  const { title, logo } = config();
  return logo ? (
    <img
      // Logos are drawn for paper: white below them in the dark too.
      className="block max-w-180 h-28 py-2 px-4 rounded-[4px] object-contain bg-[#fff]"
      src={logo}
      alt={title}
    />
  ) : (
    title
  );
}

/** The seller's sub-title beside it, where there is one. */
export function Subtitle({ className }: { className: string }) {
  const { subtitle } = config();
  if (!subtitle) return null;
  return (
    <span className={cx("text-ink-3 text-12 ml-10 pl-10 border-l border-line-2", className)}>
      {subtitle}
    </span>
  );
}
