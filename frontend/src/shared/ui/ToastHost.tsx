import { Undo2 } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useTimeout, useWindowEvent } from "@/shared/effects";
import { focusBack } from "./focus";
import { toasts } from "./toasts";

const ALERTS_AFTER_MS = 2000;

/** Shows the last toast above the bars; one per application. Ctrl or Cmd with Z presses its Undo. */
export default function ToastHost() {
  const current = useSyncExternalStore(toasts.subscribe, toasts.current);
  // An alert may have to tell that the connection is gone: it is fetched before, once the first page stands.
  useTimeout(() => void import("./AlertPopup").catch(() => undefined), ALERTS_AFTER_MS);
  useWindowEvent("keydown", (event) => {
    if (!current?.undo || event.key !== "z" || !(event.ctrlKey || event.metaKey)) return;
    // In a field the key belongs to what was typed there.
    if (document.activeElement?.matches("input, select, textarea, [contenteditable]")) return;
    event.preventDefault();
    toasts.undo();
  });
  return (
    <div
      role="status"
      className="fixed grid place-items-center z-(--z-toast) pointer-events-none inset-x-16
        bottom-[calc(max(var(--h-dialog-foot,0px),var(--h-tabs)+var(--h-page-bar,0px))+28px)]"
      onPointerEnter={toasts.hold}
      onPointerLeave={toasts.release}
      onFocus={toasts.hold}
      onBlur={toasts.release}
    >
      {current && (
        <p
          key={current.id}
          data-toast
          className="flex items-center overflow-auto max-h-[40dvh] py-11 px-16 rounded-[10px] bg-toast
            shadow-menu text-on-toast pointer-events-auto"
        >
          {current.text}
          {current.undo && (
            <button
              type="button"
              className="border border-[color-mix(in_srgb,var(--toast-text)_45%,transparent)]
                text-inherit hover:border-current focus-visible:outline-current inline-flex
                flex-none items-center gap-6 rounded-2 font-medium min-h-32 -my-5 -mr-8 ml-16 py-0
                px-11 bg-transparent phone:min-h-40 phone:-my-9"
              onClick={() => {
                toasts.undo();
                focusBack(null)?.focus();
              }}
            >
              <Undo2 size={15} />
              Undo
            </button>
          )}
        </p>
      )}
    </div>
  );
}
