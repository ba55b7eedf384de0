import { useLocation } from "react-router";
import { NoticeScreen } from "@/features/notices/NoticeScreen";

/** /notice; a route state `notice_id` opens that notice at once. */
export default function NoticeRoute() {
  const { key, state } = useLocation();
  const id: unknown = state?.notice_id;
  return <NoticeScreen key={key} openFirst={typeof id === "number" ? id : undefined} />;
}
