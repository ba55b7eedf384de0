import { Fragment } from "react";
import { cx } from "@/shared/cx";
import styles from "./PolicyText.module.css";
import { POLICY } from "./policy";

/**
 * The privacy policy and the terms of use. `level` is the one of the parts' headings; `anchors` gives
 * each heading its id, for the one place where links lead to them.
 */
export function PolicyText({ level, anchors = false }: { level: 2 | 3; anchors?: boolean }) {
  const Part = `h${level}` as const;
  const Section = level === 2 ? "h3" : "h4";
  const anchor = (id: string) => (anchors ? { id, tabIndex: -1 } : {});
  return (
    <div className={cx(styles.text, level === 3 && styles.compact)}>
      {POLICY.map(({ id, title, text, sections }) => (
        <Fragment key={id}>
          <Part className={styles.part} {...anchor(id)}>
            {title}
          </Part>
          {text}
          {sections.map((section) => (
            <Fragment key={section.id}>
              <Section className={styles.section} {...anchor(section.id)}>
                {section.title}
              </Section>
              {section.text}
            </Fragment>
          ))}
        </Fragment>
      ))}
    </div>
  );
}
