import { useMutation, useQuery } from "@tanstack/react-query";
import { Heart } from "lucide-react";
import { lazy } from "react";
import { api, unwrap } from "@/api/client";
import { useUser } from "@/api/session";
import { counted } from "@/domain/figures";
import { accountKeys } from "@/shared/query-keys";
import { Button } from "@/shared/ui/Button";
import { Card, Failure } from "@/shared/ui/Panels";
import { Part, usePopup } from "@/shared/ui/popup";
import { checkStock } from "../queries";
import type { RequestedLine } from "./ConfirmOrderDialog";

const ConfirmOrderDialog = lazy(() => import("./ConfirmOrderDialog"));

/** What is held for the company's wishes, and the way to order it; nothing where nothing is held. */
export default function OrderHeld() {
  const { uuid } = useUser();
  const question = usePopup<readonly RequestedLine[]>();
  const { data } = useQuery({
    queryKey: [...accountKeys.wishes, "offers"],
    queryFn: async ({ signal }) => unwrap(await api.GET("/account/wishes", { signal })).offers,
  });
  const ask = useMutation({
    mutationFn: (lines: readonly { sku: string; count: number }[]) => checkStock(uuid, lines),
    onSuccess: (products, lines) =>
      question.show(
        lines.flatMap(({ sku, count }) => {
          const product = products[sku];
          return product ? [{ product, count }] : [];
        }),
      ),
  });
  if (!data || data.pieces === 0) return null;
  const { lines, pieces, until } = data;
  return (
    <Card aria-label="Reserved for you">
      <div
        className="flex flex-wrap items-center gap-y-10 gap-x-14 py-14 px-18
          [&_p]:grid [&_p]:flex-[1_1_200px] [&_p]:gap-2 [&_span]:text-ink-2 [&_span]:text-13
          [&>svg]:text-ok"
      >
        <Heart size={22} />
        <p>
          <strong>
            {counted(pieces, "piece")} of {counted(lines.length, "product")} reserved for you
          </strong>
          <span>Reserved until {until}, then offered to others.</span>
        </p>
        <Button variant="primary" busy={ask.isPending} onClick={() => ask.mutate(lines)}>
          Order reserved items
        </Button>
        <Failure error={ask.error} />
      </div>
      <Part>
        {question.subject && (
          <ConfirmOrderDialog
            key={question.number}
            lines={question.subject}
            {...question.dialog}
            hasLines
          />
        )}
      </Part>
    </Card>
  );
}
