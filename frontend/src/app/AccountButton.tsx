import { ChevronDown } from "lucide-react";
import type { User } from "@/api/session";
import { cx } from "@/shared/cx";
import { PopupButton } from "@/shared/ui/PopupButton";
import { lazyPopup } from "@/shared/ui/popup";
import styles from "./AccountButton.module.css";

const { Popup: AccountMenu, ahead } = lazyPopup(() => import("./AccountMenu"));

/** The company with its menu; its monogram alone on a tablet or a phone. */
export function AccountButton({ user, className }: { user: User; className?: string | undefined }) {
  return (
    <PopupButton
      variant="ghost"
      className={cx(styles.account, className)}
      title={user.company}
      icon={
        <span
          className="grid flex-none place-items-center rounded-1 bg-accent-soft text-accent text-12
            font-bold w-28 h-28"
          aria-hidden
        >
          {monogram(user.company)}
        </span>
      }
      menu={(popup) => <AccountMenu {...popup} email={user.email} />}
      {...ahead}
    >
      <span
        // The name stays for assistive technology and as tooltip.
        className="overflow-hidden text-13 font-medium text-ellipsis max-w-220
          tablet:absolute tablet:w-1 tablet:h-1 tablet:[clip-path:inset(50%)]"
      >
        {user.company}
      </span>
      <ChevronDown className="flex-none text-ink-3 phone:hidden" size={15} />
    </PopupButton>
  );
}

/** First letters of the first two words; a sign such as & is none. */
function monogram(company: string): string {
  const words = company.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase())
    .join("");
}
