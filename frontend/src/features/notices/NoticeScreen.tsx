import { useQuery } from "@tanstack/react-query";
import { Megaphone } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { noticeDetail } from "@/api/notices";
import { pageTexts } from "@/shared/page-texts";
import { Card } from "@/shared/ui/Card";
import { type NoticeRow, NoticeRows } from "@/shared/ui/NoticeRows";
import { PageHeading } from "@/shared/ui/PageHeading";
import { EmptyState, RetryPanel } from "@/shared/ui/Panels";
import { Skeleton } from "@/shared/ui/Skeleton";
import { notices } from "./queries";

const NoticeDialog = lazy(() => import("@/shared/ui/NoticeDialog"));

/** /notice: every notice, newest first. `openFirst` is the id that the route's state asks for. */
export function NoticeScreen({ openFirst }: { openFirst: number | undefined }) {
  const { data, error, isError, isFetching, refetch } = useQuery(notices);
  const [shown, setShown] = useState(openFirst);
  const [open, setOpen] = useState(openFirst !== undefined);

  const show = (notice: NoticeRow) => {
    setShown(notice.notice_id);
    setOpen(true);
  };
  return (
    <div className="grid gap-cards max-w-912 mx-auto">
      <PageHeading title="Notice" />
      <Card aria-busy={!data && !isError}>
        {!data && isError && (
          <RetryPanel error={error} busy={isFetching} onRetry={() => void refetch()} />
        )}
        {!data && !isError && (
          <div className="px-card py-14">
            <Skeleton height={270} />
          </div>
        )}
        {data?.length === 0 && (
          <EmptyState icon={<Megaphone size={28} strokeWidth={1.5} />} text={pageTexts.noNotices} />
        )}
        {data && data.length > 0 && <NoticeRows notices={data} onOpen={show} />}
      </Card>
      {shown !== undefined && (
        <Suspense fallback={null}>
          <OpenNotice
            id={shown}
            row={data?.find((notice) => notice.notice_id === shown)}
            open={open}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

interface OpenNoticeProps {
  id: number;
  row: NoticeRow | undefined;
  open: boolean;
  onClose: () => void;
}

function OpenNotice({ id, row, ...dialog }: OpenNoticeProps) {
  const notice = useQuery(noticeDetail(id, "list"));
  return (
    <NoticeDialog
      title={row?.title ?? "Notice"}
      date={row?.build_date}
      notice={notice}
      {...dialog}
    />
  );
}
