import { Download } from "lucide-react";
import { MenuButton } from "@/shared/ui/MenuButton";
import { useExport } from "./mutations";
import type { OrderQuery } from "./queries";

const FORMATS = [
  ["xlsx", "Excel (XLSX)"],
  ["csv", "CSV"],
] as const;

/** Saves the orders of a tab, as they are searched and filtered, as a file. */
export function ExportMenu({ statusId, filters }: { statusId: number; filters: OrderQuery }) {
  const orders = useExport(statusId, filters);
  return (
    <MenuButton
      icon={<Download size={16} strokeWidth={1.8} aria-hidden />}
      busy={orders.isPending}
      entries={FORMATS.map(([format, label]) => ({
        key: format,
        content: label,
        onSelect: () => orders.mutate(format),
      }))}
    >
      Export
    </MenuButton>
  );
}
