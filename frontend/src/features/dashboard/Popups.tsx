import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { noticeDetail } from "@/api/notices";
import { AlertHost } from "@/shared/ui/AlertHost";
import { Button } from "@/shared/ui/Button";
import { NoticeText } from "@/shared/ui/NoticeText";
import styles from "./Popups.module.css";

/**
 * Notices that open by themselves, side by side above one scrim; each is closed on its own, Escape
 * closes the one with the focus, and the page comes back after the last.
 */
export default function Popups({ ids }: { ids: readonly number[] }) {
  const [closed, setClosed] = useState<readonly number[]>([]);
  const board = useRef<HTMLDivElement>(null);
  const left = ids.filter((id) => !closed.includes(id));

  const close = (id: number | undefined) => {
    if (id === undefined) return;
    setClosed([...closed, id]);
    const next = left.find((other) => other !== id);
    board.current?.querySelector<HTMLElement>(`[data-notice="${next}"] button`)?.focus();
  };
  const focused = () => {
    const notice = document.activeElement?.closest<HTMLElement>("[data-notice]");
    return notice ? Number(notice.dataset.notice) : left[0];
  };
  return (
    <Dialog.Root
      open={left.length > 0}
      disablePointerDismissal
      onOpenChange={(next) => {
        if (!next) close(focused());
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Viewport className={styles.viewport}>
          <Dialog.Popup
            ref={board}
            role="group"
            aria-label="Notices"
            className={styles.board}
            initialFocus={() => board.current?.querySelector("button") ?? null}
          >
            <AlertHost />
            {left.map((id) => (
              <Popup key={id} id={id} onClose={() => close(id)} />
            ))}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Popup({ id, onClose }: { id: number; onClose: () => void }) {
  const titleId = useId();
  const notice = useQuery(noticeDetail(id, "dashboard"));
  return (
    <div
      role="dialog"
      aria-modal
      aria-labelledby={titleId}
      className={styles.popup}
      data-notice={id}
    >
      <h2 id={titleId} className={styles.title}>
        {notice.data?.noticeDetailTitle ?? "Notice"}
      </h2>
      <div className={styles.body}>
        <NoticeText notice={notice} />
      </div>
      <footer className={styles.foot}>
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      </footer>
    </div>
  );
}
