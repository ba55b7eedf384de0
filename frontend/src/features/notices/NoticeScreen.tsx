import { queryOptions, useQuery } from "@tanstack/react-query";
import { lazy } from "react";
import { useLocation } from "react-router";
import { api, unwrap } from "@/api/client";
import { noticeDetail } from "@/api/seller";
import { NoticeRows } from "@/shared/ui/NoticeRows";
import { PageHeading } from "@/shared/ui/Page";
import { Card, Loaded } from "@/shared/ui/Panels";
import { Part, usePopup } from "@/shared/ui/popup";

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
  const { subject: id, ...popup } = usePopup(openFirst);
  const notice = useQuery({ ...noticeDetail(id ?? 0, "list"), enabled: id !== undefined });
  const row = query.data?.find(({ notice_id }) => notice_id === id);
  return (
    <div className="grid gap-cards max-w-912 mx-auto">
      <PageHeading title="Notice" />
      <Card aria-busy={query.isPending}>
        <Loaded query={query} height={270}>
          {(all) => <NoticeRows notices={all} onOpen={({ notice_id }) => popup.show(notice_id)} />}
        </Loaded>
      </Card>
      <Part>
        {id !== undefined && (
          <NoticeDialog
            title={row?.title ?? "Notice"}
            date={row?.build_date}
            notice={notice}
            {...popup.dialog}
          />
        )}
      </Part>
    </div>
  );
}
