import * as texts from "@/shared/texts";
import { Bottle, Jar, Lipstick, Metals } from "./art";
import { ButtonLink } from "./Button";
import { useDocumentTitle, useHeadingFocus } from "./Page";

export default function NotFound() {
  useDocumentTitle(texts.pageNotFound);
  const heading = useHeadingFocus();
  return (
    <div
      className="page-high grid justify-items-center content-center gap-16 [&_h1]:mt-8
        [&_h1]:serif-30 [&_h1]:font-[520] [&_h1]:tracking-serif"
    >
      <svg viewBox="0 0 194 168" width="194" height="168" role="presentation" aria-hidden="true">
        <defs>
          <Metals />
        </defs>
        <circle className="fill-accent-soft" cx="97" cy="84" r="84" />
        <ellipse className="fill-mute" cx="97" cy="157" rx="97" ry="9" />
        <g transform="translate(24 88) scale(.66)">
          <Lipstick x={0} y={0} />
        </g>
        <Bottle x={68} y={42} />
        <g transform="translate(131 116) scale(.58)">
          <Jar x={0} y={0} />
        </g>
      </svg>
      <h1 ref={heading} tabIndex={-1}>
        {texts.pageNotFound}
      </h1>
      <ButtonLink to="/" variant="primary">
        Home
      </ButtonLink>
    </div>
  );
}
