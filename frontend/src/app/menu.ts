import {
  LayoutDashboard,
  type LucideIcon,
  PackageSearch,
  ReceiptText,
  Settings2,
} from "lucide-react";

interface MenuEntry {
  readonly label: string;
  readonly to: string;
  readonly icon: LucideIcon;
  /** First segment of the paths that belong to the entry, in lower case. */
  readonly section: string;
}

export const MENU: readonly MenuEntry[] = [
  { label: "Dash board", to: "/dashboard", icon: LayoutDashboard, section: "dashboard" },
  { label: "Product order", to: "/order", icon: PackageSearch, section: "order" },
  { label: "Order info", to: "/invoice/0", icon: ReceiptText, section: "invoice" },
  { label: "System", to: "/Setting", icon: Settings2, section: "setting" },
];

/** Whether the path belongs to the entry. Paths match without regard to case. */
export function isCurrent(entry: MenuEntry, pathname: string): boolean {
  return pathname.split("/")[1]?.toLowerCase() === entry.section;
}
