import { useSyncExternalStore } from "react";
import styles from "./ToastHost.module.css";
import { toasts } from "./toasts";

/** Shows the last toast above the bars; one per application. */
export function ToastHost() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.current);
  return (
    <div role="status" className={styles.host}>
      {shown && (
        <p key={shown.id} className={styles.toast}>
          {shown.text}
        </p>
      )}
    </div>
  );
}
