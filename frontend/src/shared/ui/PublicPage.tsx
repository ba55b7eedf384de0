import type { CSSProperties, ReactNode } from "react";
import { ButtonLink } from "./Button";
import { Link } from "./Link";
import { SkipLink } from "./Page";
import { Subtitle, Wordmark } from "./Wordmark";

interface PublicPageProps {
  /** Of the column that the page and its head stand in, in px. */
  width: number;
  children: ReactNode;
}

/** Frame of the public pages beside the door: the title of the platform and the way to the sign-in. */
export function PublicPage({ width, children }: PublicPageProps) {
  return (
    <div
      className="[--h-header:0px] [--h-tabs:0px] min-h-dvh [:root:has(&)]:scroll-pt-16"
      style={{ "--column": `${width}px` } as CSSProperties}
    >
      <SkipLink />
      <header className="border-b border-line bg-surface px-24 paper:hidden">
        <div className="flex items-center max-w-(--column) min-h-62 mx-auto phone:min-h-68">
          <Link
            to="/"
            className="text-ink tracking-serif no-underline serif-19 font-[560] leading-[1.2]"
          >
            <Wordmark />
          </Link>
          <Subtitle className="phone:hidden" />
          <ButtonLink to="/login" size="small" className="ml-auto">
            Sign in
          </ButtonLink>
        </div>
      </header>
      <main
        id="main"
        className="py-36 px-24 focus:outline-none phone:py-28 phone:px-16 paper:p-0"
        tabIndex={-1}
      >
        <div className="max-w-(--column) mx-auto">{children}</div>
      </main>
    </div>
  );
}
