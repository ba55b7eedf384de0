import { Megaphone } from "lucide-react";
import type { components } from "@/api/schema.gen";
import { dayText } from "@/domain/figures";
import { cx } from "@/shared/cx";
import * as texts from "@/shared/texts";
import { EmptyState } from "./Panels";

export type NoticeRow = components["schemas"]["NoticeItem"];

const NEW_FOR_MS = 14 * 24 * 60 * 60 * 1000;

interface NoticeRowsProps {
  notices: readonly NoticeRow[];
  onOpen: (notice: NoticeRow) => void;
  /** Titles on one line on a desktop, as in a card. */
  narrow?: boolean;
}

/** Notices with their dates, each a button; a dot marks those of the last 14 days. */
export function NoticeRows({ notices, onOpen, narrow = false }: NoticeRowsProps) {
  const now = Date.now();
  if (notices.length === 0) return <EmptyState icon={Megaphone} text={texts.noNotices} />;
  return (
    <ul
      // Thousands of rows cost no layout until they come near.
      className="divided [&>li]:[content-visibility:auto]
        [&>li]:[contain-intrinsic-size:auto_47px]
        phone:[&>li]:[contain-intrinsic-size:auto_88px]"
    >
      {notices.map((notice) => (
        <li key={notice.notice_id}>
          <button
            type="button"
            className="flex items-baseline justify-between gap-16 w-full border-0 text-ink
              cursor-pointer min-h-47 py-12 px-18 bg-transparent [font:inherit] leading-[1.45]
              text-left hover:bg-surface-2 focus-visible:-outline-offset-3 focus-visible:rounded-2
              phone:flex-col phone:gap-2 phone:px-16"
            onClick={() => onOpen(notice)}
          >
            <span
              className={cx("min-w-0 font-medium wrap-anywhere", narrow && "min-[1181px]:truncate")}
            >
              {now - Date.parse(notice.build_date) < NEW_FOR_MS && (
                <span className="inline-block w-7 h-7 mr-5 rounded-pill bg-graphic align-[2px]">
                  <span className="sr-only">New</span>
                </span>
              )}{" "}
              {notice.title}
            </span>{" "}
            <span className="flex-none text-ink-3 text-13 tabular-nums">
              {dayText(notice.build_date)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
