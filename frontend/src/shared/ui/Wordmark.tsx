import { config } from "@/shared/config";

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
