import { Undo2 } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import { useWindowEvent } from "@/shared/effects";
import { focusBack } from "./focus";
import styles from "./ToastHost.module.css";
import { toasts } from "./toasts";

const ALERTS_AFTER_MS = 2000;

/** Shows the last toast above the bars; one per application. Ctrl or Cmd with Z presses its Undo. */
export default function ToastHost() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.current);
  // An alert may have to tell that the connection is gone: it is fetched before, once the first page stands.
  useEffect(() => {
    const timer = setTimeout(() => import("./AlertPopup").catch(() => undefined), ALERTS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  useWindowEvent("keydown", (event) => {
    if (!shown?.undo || event.key !== "z" || !(event.ctrlKey || event.metaKey)) return;
    // In a field the key belongs to what was typed there.
    if (document.activeElement?.matches("input, select, textarea, [contenteditable]")) return;
    event.preventDefault();
    toasts.undo();
  });
  return (
    <div
      role="status"
      className={styles.host}
      onPointerEnter={toasts.hold}
      onPointerLeave={toasts.release}
      onFocus={toasts.hold}
      onBlur={toasts.release}
    >
      {shown && (
        <p key={shown.id} className={styles.toast}>
          {shown.text}
          {shown.undo && (
            <button
              type="button"
              className={styles.undo}
              onClick={() => {
                toasts.undo();
                focusBack(null)?.focus();
              }}
            >
              <Undo2 size={15} strokeWidth={1.8} aria-hidden />
              Undo
            </button>
          )}
        </p>
      )}
    </div>
  );
}
