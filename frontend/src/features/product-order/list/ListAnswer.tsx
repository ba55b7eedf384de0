import { lazy, Suspense, useState } from "react";
import type { components } from "@/api/schema.gen";
import type { Decided } from "./kept-decisions";
import { ListReview } from "./ListReview";
import type { ListLine } from "./list-review";
import { askedTab, type SaidColumns } from "./sheet-columns";

const SheetColumns = lazy(() => import("./SheetColumns"));

interface ListAnswerProps {
  open: boolean;
  review: components["schemas"]["ListReview"];
  decided: Decided;
  draft: string;
  name: string;
  /** Whether the list is being read again, and why it could not be. */
  busy: boolean;
  failure: string | undefined;
  onSaid: (columns: SaidColumns[]) => void;
  onAgain: () => void;
  onClose: () => void;
  together: boolean;
  onUse: () => Promise<string | undefined>;
  onPut: (lines: readonly ListLine[]) => void;
}

/** What was read of a list: its columns where they have to be named, else its lines. */
export function ListAnswer({ busy, failure, onSaid, onPut, ...answer }: ListAnswerProps) {
  const { columns } = answer.review;
  const [naming, setNaming] = useState(askedTab(columns) !== undefined || failure !== undefined);
  if (!naming) {
    const onColumns = columns.length > 0 ? () => setNaming(true) : undefined;
    return <ListReview {...answer} onColumns={onColumns} onPut={onPut} />;
  }
  return (
    <Suspense fallback={null}>
      <SheetColumns
        {...answer}
        {...{ busy, failure, onSaid }}
        tabs={columns}
        lines={answer.review.lines}
      />
    </Suspense>
  );
}
