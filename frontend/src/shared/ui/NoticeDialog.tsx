import { dayText } from "@/domain/figures";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { type NoticeQuery, NoticeText } from "./RichText";

interface NoticeDialogProps {
  open: boolean;
  onClose: () => void;
  /** What is known before the notice itself has come. */
  title: string;
  date?: string | undefined;
  notice: NoticeQuery;
}

/** A notice with its files. Loaded when one is opened first. */
export default function NoticeDialog({ open, onClose, title, date, notice }: NoticeDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      closesOnScrim
      width={600}
      title={notice.data?.noticeDetailTitle ?? title}
      subline={date && <span className="tabular-nums">{dayText(date)}</span>}
      footer={
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <NoticeText notice={notice} />
    </Dialog>
  );
}
