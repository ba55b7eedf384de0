import { useQuery } from "@tanstack/react-query";
import {
  Barcode,
  Bookmark,
  FolderOpen,
  Heart,
  LayoutDashboard,
  type LucideIcon,
  MapPin,
  ReceiptText,
  Wallet,
} from "lucide-react";
import type { ReactNode } from "react";
import { type AccountCounts, accountCounts } from "@/api/account";
import { usd } from "@/domain/money";
import { count } from "@/domain/units";
import { Link } from "@/shared/ui/Link";
import { PageHeading } from "@/shared/ui/PageHeading";
import { TabLinks } from "@/shared/ui/TabLinks";
import { PHONE, useMedia } from "@/shared/use-media";
import styles from "./AccountScreen.module.css";

interface Part {
  part: string;
  label: string;
  icon: LucideIcon;
  holds?: (counts: AccountCounts) => string;
}

const PARTS: readonly Part[] = [
  { part: "overview", label: "Overview", icon: LayoutDashboard },
  { part: "statement", label: "Statement", icon: ReceiptText },
  {
    part: "documents",
    label: "Documents",
    icon: FolderOpen,
    holds: ({ documents }) => count(documents),
  },
  { part: "wallet", label: "Wallet", icon: Wallet, holds: ({ wallet }) => usd(wallet) },
  {
    part: "addresses",
    label: "Addresses",
    icon: MapPin,
    holds: ({ addresses }) => count(addresses),
  },
  { part: "baskets", label: "Baskets", icon: Bookmark, holds: ({ baskets }) => count(baskets) },
  { part: "wishes", label: "Wishes", icon: Heart },
  { part: "codes", label: "Item codes", icon: Barcode },
];

/** /account/{part}: the parts at the left, above them on a phone, and the one that is chosen. */
export function AccountScreen({ part, children }: { part: string; children: ReactNode }) {
  const phone = useMedia(PHONE);
  const { data: counts } = useQuery({ ...accountCounts, enabled: !phone });
  return (
    <div className={styles.page}>
      <PageHeading title="Account" />
      {phone ? (
        <TabLinks
          label="Account"
          wrap
          tabs={PARTS.map(({ part: to, label }) => ({
            to: `/account/${to}`,
            label,
            current: to === part,
          }))}
        />
      ) : (
        <nav aria-label="Account" className={styles.nav}>
          <ul>
            {PARTS.map(({ part: to, label, icon: Icon, holds }) => (
              <li key={to}>
                <Link to={`/account/${to}`} aria-current={to === part ? "page" : undefined}>
                  <Icon size={17} strokeWidth={1.8} aria-hidden />
                  {label} {counts && holds && <span className="num">{holds(counts)}</span>}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <div className={styles.part}>{children}</div>
    </div>
  );
}
