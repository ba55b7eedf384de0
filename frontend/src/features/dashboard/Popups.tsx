import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { noticeDetail } from "@/api/seller";
import { AlertHost } from "@/shared/ui/AlertHost";
import { Button } from "@/shared/ui/Button";
import { NoticeText } from "@/shared/ui/RichText";

/** Notices that open by themselves, side by side; Escape closes the one with the focus. */
export default function Popups({ ids }: { ids: readonly number[] }) {
  const [closed, setClosed] = useState<readonly number[]>([]);
  const board = useRef<HTMLDivElement>(null);
  const waiting = ids.filter((id) => !closed.includes(id));

  const close = (id: number | undefined) => {
    if (id === undefined) return;
    setClosed([...closed, id]);
    const next = waiting.find((other) => other !== id);
    board.current?.querySelector<HTMLElement>(`[data-notice="${next}"] button`)?.focus();
  };
  const focused = () => {
    const notice = document.activeElement?.closest<HTMLElement>("[data-notice]");
    return notice ? Number(notice.dataset.notice) : waiting[0];
  };
  return (
    <Dialog.Root
      open={waiting.length > 0}
      disablePointerDismissal
      onOpenChange={(next) => next || close(focused())}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Viewport className="fixed grid overflow-auto inset-0 z-(--z-dialog) p-24 phone:p-16">
          <Dialog.Popup
            ref={board}
            role="group"
            aria-label="Notices"
            className="flex flex-wrap items-center justify-center gap-20 m-auto focus:outline-none
              phone:flex-col phone:flex-nowrap phone:w-full phone:gap-12"
            initialFocus={() => board.current?.querySelector("button") ?? null}
          >
            <AlertHost />
            {waiting.map((id) => (
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
      className="flex flex-col overflow-hidden bg-surface w-[min(400px,100%)]
        max-h-[calc(100dvh_-_48px)] rounded-4 shadow-dialog forced-colors:border
        phone:flex-none phone:max-h-none"
      data-notice={id}
    >
      <h2 id={titleId} className="pt-20 pb-8 px-20 serif-20 tracking-serif">
        {notice.data?.noticeDetailTitle ?? "Notice"}
      </h2>
      <div className="min-h-0 overflow-auto overscroll-contain pb-4 px-20">
        <NoticeText notice={notice} />
      </div>
      <footer
        className="flex justify-end pt-16 pb-18 px-20
        phone:[&>button]:flex-1 phone:[&>button]:min-h-(--h-large)!"
      >
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      </footer>
    </div>
  );
}
