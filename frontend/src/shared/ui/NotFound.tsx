import * as texts from "@/shared/texts";
import { ButtonLink } from "./Button";
import picture from "./not-found.svg";
import { PageTitle } from "./Page";

export default function NotFound() {
  return (
    <div
      className="page-high grid justify-items-center content-center gap-16 [&_h1]:mt-8
        [&_h1]:serif-30 [&_h1]:font-[520] [&_h1]:tracking-serif"
    >
      <svg viewBox="0 0 194 168" width="194" height="168" role="presentation" aria-hidden="true">
        <circle className="fill-accent-soft" cx="97" cy="84" r="84" />
        <ellipse className="fill-mute" cx="97" cy="157" rx="97" ry="9" />
        <image href={picture} width="194" height="168" />
      </svg>
      <PageTitle text={texts.pageNotFound} />
      <ButtonLink to="/" variant="primary">
        Home
      </ButtonLink>
    </div>
  );
}
