import { useQuery } from "@tanstack/react-query";
import { POLICY_TITLE, type Policy, policy } from "@/api/policy";
import { Link } from "@/shared/ui/Link";
import { useDocumentTitle, useHeadingFocus } from "@/shared/ui/PageHeading";
import { RetryPanel } from "@/shared/ui/Panels";
import { PolicyText } from "@/shared/ui/PolicyText";
import { Skeleton } from "@/shared/ui/Skeleton";
import { centreInList } from "@/shared/ui/scroll";
import styles from "./PolicyScreen.module.css";
import { useAnchors } from "./use-anchors";

const LONG_DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** /policy: privacy policy and terms of use with their contents, the same for everybody. */
export function PolicyScreen() {
  useDocumentTitle(POLICY_TITLE);
  const heading = useHeadingFocus();
  const { data, error, isError, isFetching, refetch } = useQuery(policy);
  return (
    <div className={styles.policy}>
      <header className={styles.head}>
        <h1 ref={heading} tabIndex={-1}>
          {POLICY_TITLE}
        </h1>
        <p>
          {data ? `Privacy policy effective ${LONG_DAY.format(new Date(data.holds_from))}` : " "}
        </p>
      </header>
      {data && <Contents policy={data} />}
      {!data && (
        <div className="col-span-full" aria-busy={!isError}>
          {isError ? (
            <RetryPanel error={error} busy={isFetching} onRetry={() => void refetch()} />
          ) : (
            <Skeleton height={480} />
          )}
        </div>
      )}
    </div>
  );
}

function Contents({ policy: { contents, html } }: { policy: Policy }) {
  const current = useAnchors(contents.map(({ id }) => id));
  return (
    <>
      <nav className={styles.contents} aria-label="Contents">
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
      <article className={styles.text} aria-label={POLICY_TITLE}>
        <PolicyText html={html} />
      </article>
    </>
  );
}
