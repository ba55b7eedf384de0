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
}

export const MENU: readonly MenuEntry[] = [
  { label: "Dash board", to: "/dashboard", icon: LayoutDashboard },
  { label: "Product order", to: "/order", icon: PackageSearch },
  { label: "Order info", to: "/invoice/0", icon: ReceiptText },
  { label: "System", to: "/Setting", icon: Settings2 },
];

/** The first segment of a path, without regard to case: all paths that share it belong together. */
const section = (path: string) => path.split("/")[1]?.toLowerCase();

/** Whether the path belongs to the entry. */
export function isCurrent(entry: MenuEntry, pathname: string): boolean {
  return section(pathname) === section(entry.to);
}
