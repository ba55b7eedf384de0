import { queryOptions, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useLocation } from "react-router";
import { api, unwrap } from "@/api/client";
import { noticeDetail } from "@/api/seller";
import type { DialogState } from "@/shared/ui/Dialog";
import { type NoticeRow, NoticeRows } from "@/shared/ui/NoticeRows";
import { PageHeading } from "@/shared/ui/Page";
import { Card, Loaded } from "@/shared/ui/Panels";

const notices = queryOptions({
  queryKey: ["notices", "list"],
  queryFn: async ({ signal }) => unwrap(await api.GET("/notice", { signal })).notice,
});

const NoticeDialog = lazy(() => import("@/shared/ui/NoticeDialog"));

/** /notice; a route state `notice_id` opens that notice at once. */
export default function NoticeScreen() {
  const { key, state } = useLocation();
  const id: unknown = state?.notice_id;
  return <Notices key={key} openFirst={typeof id === "number" ? id : undefined} />;
}

function Notices({ openFirst }: { openFirst: number | undefined }) {
  const query = useQuery(notices);
  const [isOpen, setIsOpen] = useState(openFirst);
  const [open, setOpen] = useState(openFirst !== undefined);

  const show = (notice: NoticeRow) => {
    setIsOpen(notice.notice_id);
    setOpen(true);
  };
  return (
    <div className="grid gap-cards max-w-912 mx-auto">
      <PageHeading title="Notice" />
      <Card aria-busy={query.isPending}>
        <Loaded query={query} height={270}>
          {(all) => <NoticeRows notices={all} onOpen={show} />}
        </Loaded>
      </Card>
      {isOpen !== undefined && (
        <Suspense fallback={null}>
          <OpenNotice
            id={isOpen}
            row={query.data?.find((notice) => notice.notice_id === isOpen)}
            open={open}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

interface OpenNoticeProps extends DialogState {
  id: number;
  row: NoticeRow | undefined;
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
