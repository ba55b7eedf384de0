import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import {
  Barcode,
  Bookmark,
  FolderOpen,
  Heart,
  LayoutDashboard,
  MapPin,
  ReceiptText,
  Users,
  Wallet,
} from "lucide-react";
import type { ReactNode } from "react";
import { accountCounts } from "@/api/account";
import { count, usd } from "@/domain/figures";
import { cx } from "@/shared/cx";
import { Link } from "@/shared/ui/Link";
import { PageHeading } from "@/shared/ui/Page";
import { TabLinks } from "@/shared/ui/TabLinks";
import { PHONE, useMedia } from "@/shared/use-media";
import styles from "./AccountScreen.module.css";
import { openWishes, ownCodes } from "./queries";

/** /account/{part}: the parts at the left, above them on a phone, and the one that is chosen. */
export function AccountScreen({ part, children }: { part: string; children: ReactNode }) {
  const isPhone = useMedia(PHONE);
  const parts = useParts().filter(({ to, isEmpty }) => !isEmpty || to === part);
  return (
    <div
      className={cx(
        styles.page,
        "[&>header]:col-span-full",
        "across:[&>header]:col-[auto]",
        "grid items-start gap-cards grid-cols-[216px_minmax(0,1fr)]",
        "across:grid across:grid-cols-[auto_minmax(0,1fr)] across:gap-y-0",
        "across:gap-x-20 across:-mt-10 phone:block paper:block",
      )}
    >
      <PageHeading title="Account" />
      {isPhone ? (
        <TabLinks
          label="Account"
          tabs={parts.map(({ to, label }) => ({
            to: `/account/${to}`,
            label,
            current: to === part,
          }))}
        />
      ) : (
        <nav
          aria-label="Account"
          className={cx(
            styles.nav,
            "border border-line rounded-3 bg-surface p-8",
            "[&_a:hover]:bg-surface-2",
          )}
        >
          <ul>
            {parts.map(({ to, label, icon: Icon, holds }) => (
              <li key={to}>
                <Link to={`/account/${to}`} aria-current={to === part ? "page" : undefined}>
                  <Icon size={17} />
                  {label} {holds && <span className="ml-auto text-13 tabular-nums">{holds}</span>}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <div
        className={cx(
          styles.part,
          "grid gap-cards min-w-0 phone:mt-cards across:col-span-full",
          "paper:[&_table]:text-12 paper:[&_tr]:break-inside-avoid",
        )}
      >
        {children}
      </div>
    </div>
  );
}

/** The parts with what they hold; `isEmpty` ones are shown once there is something in them. */
function useParts() {
  const { data: counts } = useQuery(accountCounts);
  const wishes = useInfiniteQuery(openWishes("")).data?.pages[0]?.wishes;
  const codes = useInfiniteQuery(ownCodes("")).data?.pages[0]?.codes;
  return [
    { to: "overview", label: "Overview", icon: LayoutDashboard },
    { to: "statement", label: "Statement", icon: ReceiptText },
    {
      to: "documents",
      label: "Documents",
      icon: FolderOpen,
      holds: counts && count(counts.documents),
    },
    { to: "wallet", label: "Wallet", icon: Wallet, holds: counts && usd(counts.wallet) },
    {
      to: "addresses",
      label: "Addresses",
      icon: MapPin,
      holds: counts && counts.addresses > 0 && count(counts.addresses),
    },
    { to: "colleagues", label: "Colleagues", icon: Users },
    {
      to: "baskets",
      label: "Baskets",
      icon: Bookmark,
      holds: counts && count(counts.baskets),
      isEmpty: !counts?.baskets,
    },
    { to: "wishes", label: "Waiting list", icon: Heart, isEmpty: !wishes?.length },
    { to: "codes", label: "Item codes", icon: Barcode, isEmpty: !codes?.length },
  ];
}
