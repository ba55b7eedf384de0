import { lazy, Suspense, useEffect, useId, useSyncExternalStore } from "react";
import { alerts } from "./alerts";

const AlertPopup = lazy(() => import("./AlertPopup"));

/** A place for the queue of alerts: the innermost dialog's shows it, as only that takes Escape and the focus. */
export function AlertHost() {
  const id = useId();
  useEffect(() => alerts.addHost(id), [id]);
  const current = useSyncExternalStore(alerts.subscribe, () => alerts.currentOf(id));
  return (
    <Suspense fallback={null}>
      {current ? <AlertPopup key={current.id} shown={current} /> : null}
    </Suspense>
  );
}
