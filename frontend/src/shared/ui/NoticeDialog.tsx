import { dayText } from "@/domain/figures";
import { Button } from "./Button";
import { Dialog, type DialogState } from "./Dialog";
import { type NoticeQuery, NoticeText } from "./RichText";

interface NoticeDialogProps extends DialogState {
  /** What is known before the notice itself has come. */
  title: string;
  date?: string | undefined;
  notice: NoticeQuery;
}

/** A notice with its files. Loaded when one is opened first. */
export default function NoticeDialog({ title, date, notice, ...dialog }: NoticeDialogProps) {
  return (
    <Dialog
      {...dialog}
      closesOnScrim
      width={600}
      title={notice.data?.noticeDetailTitle ?? title}
      subline={date && <span className="tabular-nums">{dayText(date)}</span>}
      footer={
        <Button variant="primary" onClick={dialog.onClose}>
          Close
        </Button>
      }
    >
      <NoticeText notice={notice} />
    </Dialog>
  );
}
