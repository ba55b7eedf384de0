import { useState } from "react";
import {
  Bar,
  BarChart,
  CartesianGrid,
  LabelList,
  ResponsiveContainer,
  XAxis,
  YAxis,
} from "recharts";
import type { Schemas } from "@/api/client";
import { count } from "@/domain/figures";

export type PurchaseMonth = Schemas["PurchaseMonth"];

/** Below this width, in px, months have short names. */
const NARROW = 480;
const SHORT = { month: "short" } as const;
const LONG = { month: "long", year: "numeric" } as const;

/** Columns with their amounts above them. The figures are also in the card's table. */
export default function OrderAmountChart({ months }: { months: readonly PurchaseMonth[] }) {
  const [narrow, setNarrow] = useState(false);
  const style = narrow ? SHORT : LONG;
  const columns = months.map(({ build_date, total }) => ({
    month: new Date(build_date).toLocaleDateString("en-US", { ...style, timeZone: "UTC" }),
    total,
  }));
  return (
    <div
      className="h-full [&_text]:fill-ink-3 [&_text]:text-13 [&_text]:tabular-nums
        [&_.recharts-label-list_text]:fill-ink [&_.recharts-label-list_text]:font-bold
        [&_.recharts-bar-rectangle_path]:fill-graphic [&_.recharts-cartesian-grid_line]:stroke-line
        [&_.recharts-cartesian-axis-line]:stroke-line-2"
    >
      <ResponsiveContainer
        width="100%"
        height="100%"
        onResize={(width) => setNarrow(width < NARROW)}
      >
        <BarChart
          data={columns}
          accessibilityLayer={false}
          margin={{ top: 22, right: 10, bottom: 4, left: 6 }}
        >
          <CartesianGrid vertical={false} />
          <XAxis dataKey="month" tickLine={false} tickMargin={10} />
          <YAxis
            axisLine={false}
            tickLine={false}
            width={76}
            tickFormatter={(amount: number) => count(amount)}
            label={{
              value: "Order Amount ($)",
              angle: -90,
              position: "insideLeft",
              style: { textAnchor: "middle" },
            }}
          />
          <Bar dataKey="total" maxBarSize={88} radius={[7, 7, 0, 0]} isAnimationActive={false}>
            <LabelList
              dataKey="total"
              position="top"
              offset={9}
              formatter={(amount) => `$${count(Math.round(Number(amount)))}`}
            />
          </Bar>
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
