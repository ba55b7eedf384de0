import { useIsOnline } from "@/shared/online";
import { texts } from "@/shared/texts";
import styles from "./OfflineBar.module.css";

/** Under the header while the portal cannot be reached. */
export function OfflineBar() {
  const isOnline = useIsOnline();
  return (
    <div role="status" className={styles.offline}>
      {!isOnline && <p>{texts.offline} Edits are kept and sent later.</p>}
    </div>
  );
}
