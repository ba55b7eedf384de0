import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useLocation } from "react-router";
import { POLICY_TITLE, type Policy, policy } from "@/api/seller";
import { useSession } from "@/api/session";
import { cx } from "@/shared/cx";
import { useOnChange, useWindowEvent } from "@/shared/effects";
import { Link } from "@/shared/ui/Link";
import { PageTitle } from "@/shared/ui/Page";
import { Loaded } from "@/shared/ui/Panels";
import { PublicPage } from "@/shared/ui/PublicPage";
import { PolicyText } from "@/shared/ui/RichText";
import { centreInList } from "@/shared/ui/rows";
import styles from "./PolicyScreen.module.css";

const LONG_DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** /policy. A signed-in buyer keeps the header and the menu around it. */
export default function PolicyScreen() {
  const { session } = useSession();
  if (session.phase === "in") return <PolicyPage />;
  return (
    <PublicPage width={1012}>
      <PolicyPage />
    </PublicPage>
  );
}

/** Privacy policy and terms of use with their contents, the same for everybody. */
function PolicyPage() {
  const query = useQuery(policy);
  const { data } = query;
  return (
    <div
      className={cx(
        styles.policy,
        "grid grid-cols-[220px_minmax(0,1fr)] gap-y-48 gap-x-56 max-w-1012",
        "mx-auto phone:grid-cols-1 phone:gap-20",
      )}
    >
      <header
        className="phone:pb-22 phone:[&_h1]:text-27 col-span-full border-b border-line pb-26
          [&_h1]:serif-34 [&_h1]:font-[520] [&_h1]:leading-[1.25] [&_h1]:tracking-serif
          [&_h1]:text-balance [&_p]:mt-6 [&_p]:text-ink-3"
      >
        <PageTitle text={POLICY_TITLE} />
        <p>
          {data ? `Privacy policy effective ${LONG_DAY.format(new Date(data.holds_from))}` : " "}
        </p>
      </header>
      <Loaded query={query} height={480} className="col-span-full">
        {(text) => <Contents policy={text} />}
      </Loaded>
    </div>
  );
}

function Contents({ policy: { contents, html } }: { policy: Policy }) {
  const current = useAnchors(contents.map(({ id }) => id));
  return (
    <>
      <nav
        className={cx(
          styles.contents,
          "[&_a:hover]:bg-mute",
          "phone:sticky phone:top-(--h-header) phone:my-0 phone:-mx-16 phone:bg-page",
          "paper:hidden",
        )}
        aria-label="Contents"
      >
        <ul>
          {contents.map(({ id, title, level }) => (
            <li key={id}>
              <Link
                ref={id === current ? centreInList : null}
                to={`#${id}`}
                className={level === 2 ? styles.part : undefined}
                aria-current={id === current ? "location" : undefined}
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <article className={cx(styles.text, "max-w-[66ch] pb-64 text-16")} aria-label={POLICY_TITLE}>
        <PolicyText html={html} />
      </article>
    </>
  );
}

/** Where a heading counts as reached: the share of the window's height above it. */
const READING_LINE = 0.3;

/** Goes to the heading that the address names, at every click too, and tells which of `ids` is read now. */
function useAnchors(ids: readonly string[]): string | undefined {
  const { hash, key } = useLocation();
  const [current, setCurrent] = useState(ids[0]);
  // Where a jump ended: its heading stays the current one until the visitor scrolls on, because the
  // last ones cannot reach the top of the window.
  const jumpEnd = useRef<number>(undefined);

  // The key is another one at a second click on the same link too.
  useOnChange(key, () => {
    const id = hash.slice(1);
    const target = ids.includes(id) ? document.getElementById(id) : null;
    if (!target) return;
    target.focus({ preventScroll: true });
    target.scrollIntoView();
    jumpEnd.current = window.scrollY;
    setCurrent(id);
  });

  useWindowEvent("scroll", () => {
    if (window.scrollY === jumpEnd.current) return;
    jumpEnd.current = undefined;
    const line = window.innerHeight * READING_LINE;
    const passed = ids.filter((id) => {
      const top = document.getElementById(id)?.getBoundingClientRect().top;
      return top !== undefined && top <= line;
    });
    const end = window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 1;
    setCurrent(end ? ids.at(-1) : (passed.at(-1) ?? ids[0]));
  });

  return current;
}
