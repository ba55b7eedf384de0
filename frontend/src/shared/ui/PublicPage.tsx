import type { CSSProperties, ReactNode } from "react";
import { config } from "@/shared/config";
import { ButtonLink } from "./Button";
import { Link } from "./Link";
import styles from "./PublicPage.module.css";
import { SkipLink } from "./SkipLink";
import { Wordmark } from "./Wordmark";

interface PublicPageProps {
  /** Of the column that the page and its head stand in, in px. */
  width: number;
  children: ReactNode;
}

/** Frame of the public pages beside the door: the title of the platform and the way to the sign-in. */
export function PublicPage({ width, children }: PublicPageProps) {
  const { subtitle } = config();
  return (
    <div className={styles.page} style={{ "--column": `${width}px` } as CSSProperties}>
      <SkipLink />
      <header className={styles.head}>
        <div className={styles.column}>
          <Link to="/" className={styles.wordmark}>
            <Wordmark />
          </Link>
          {subtitle && <span className={styles.subtitle}>{subtitle}</span>}
          <ButtonLink to="/login" size="small" className="ml-auto">
            Sign in
          </ButtonLink>
        </div>
      </header>
      <main id="main" className={styles.main} tabIndex={-1}>
        <div className={styles.column}>{children}</div>
      </main>
    </div>
  );
}
