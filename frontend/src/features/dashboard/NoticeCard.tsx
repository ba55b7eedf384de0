import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { noticeDetail } from "@/api/seller";
import { Card, CardHead } from "@/shared/ui/Card";
import { Link } from "@/shared/ui/Link";
import { type NoticeRow, NoticeRows } from "@/shared/ui/NoticeRows";
import { Skeleton } from "@/shared/ui/Panels";
import { usePopup } from "@/shared/ui/popup";

const NoticeDialog = lazy(() => import("@/shared/ui/NoticeDialog"));

const SHOWN = 3;

/** The newest notices; each opens in a dialog. */
export function NoticeCard({ notices }: { notices: readonly NoticeRow[] | undefined }) {
  const popup = usePopup<NoticeRow>();
  return (
    <Card aria-labelledby="notices" aria-busy={!notices}>
      <CardHead title="Notice" id="notices">
        <Link to="/notice" aria-label="more notices">
          more
        </Link>
      </CardHead>
      {!notices && (
        <div className="px-card py-14">
          <Skeleton height={160} />
        </div>
      )}
      {notices && <NoticeRows narrow notices={notices.slice(0, SHOWN)} onOpen={popup.show} />}
      {popup.subject && (
        <Suspense fallback={null}>
          <OpenNotice row={popup.subject} open={popup.open} onClose={popup.close} />
        </Suspense>
      )}
    </Card>
  );
}

interface OpenNoticeProps {
  row: NoticeRow;
  open: boolean;
  onClose: () => void;
}

function OpenNotice({ row, ...dialog }: OpenNoticeProps) {
  const notice = useQuery(noticeDetail(row.notice_id, "dashboard"));
  return <NoticeDialog title={row.title} date={row.build_date} notice={notice} {...dialog} />;
}
