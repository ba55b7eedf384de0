import { Link } from "@/shared/ui/Link";
import { useDocumentTitle, useHeadingFocus } from "@/shared/ui/PageHeading";
import { PolicyText } from "@/shared/ui/PolicyText";
import { POLICY, POLICY_EFFECTIVE, POLICY_TITLE } from "@/shared/ui/policy";
import { centreInList } from "@/shared/ui/scroll";
import styles from "./PolicyScreen.module.css";
import { useAnchors } from "./use-anchors";

const CONTENTS = POLICY.flatMap(({ id, title, sections }) => [
  { id, title, part: true },
  ...sections.map((section) => ({ id: section.id, title: section.title, part: false })),
]);
const IDS = CONTENTS.map(({ id }) => id);

/** /policy: privacy policy and terms of use with their contents, the same for everybody. */
export function PolicyScreen() {
  useDocumentTitle(POLICY_TITLE);
  const heading = useHeadingFocus();
  const current = useAnchors(IDS);
  return (
    <div className={styles.policy}>
      <header className={styles.head}>
        <h1 ref={heading} tabIndex={-1}>
          {POLICY_TITLE}
        </h1>
        <p>{POLICY_EFFECTIVE}</p>
      </header>
      <nav className={styles.contents} aria-label="Contents">
        <ul>
          {CONTENTS.map(({ id, title, part }) => (
            <li key={id}>
              <Link
                ref={id === current ? centreInList : null}
                to={`#${id}`}
                className={part ? styles.part : undefined}
                aria-current={id === current ? "location" : undefined}
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <article className={styles.text} aria-label={POLICY_TITLE}>
        <PolicyText level={2} anchors />
      </article>
    </div>
  );
}
