import { isAway } from "./away";
import { connection } from "./online";

const PROBE = "/robots.txt";
const PAUSE_MS = 3000;
let probing: Promise<void> | undefined;

const wait = () =>
  new Promise((done) => {
    setTimeout(done, PAUSE_MS);
  });

/** Whether the portal answers, and not only what stands before it. */
const answers = () =>
  fetch(PROBE, { method: "HEAD", cache: "no-store" }).then(
    ({ status }) => !isAway(status),
    () => false,
  );

async function look(): Promise<void> {
  while (!(await answers())) {
    connection.set(false);
    await wait();
  }
  connection.set(true);
}

/**
 * A call got no answer: looks whether the portal is there, and again until it is. The browser itself knows only of its own
 * network, not of a cable further away. All who ask meanwhile wait for the same look.
 */
export function probe(): Promise<void> {
  probing ??= look().finally(() => {
    probing = undefined;
  });
  return probing;
}
