import type { ComponentProps, MouseEvent } from "react";
import { useHref, useLinkClickHandler } from "react-router";
import { prefetch } from "@/shared/navigation";

export interface LinkProps extends Omit<ComponentProps<"a">, "href"> {
  /** A path of the portal, or its hash alone. */
  to: string;
  replace?: boolean;
}

/** A link that fetches its screen when pointed at or focused. The router's own carries 2 KB for another mode. */
export function Link({ to, replace, onClick, ...rest }: LinkProps) {
  const follow = useLinkClickHandler<HTMLAnchorElement>(to, {
    ...(rest.target && { target: rest.target }),
    ...(replace !== undefined && { replace }),
  });
  const ahead = () => prefetch(to);
  return (
    <a
      onPointerEnter={ahead}
      onFocus={ahead}
      {...rest}
      href={useHref(to)}
      onClick={(event: MouseEvent<HTMLAnchorElement>) => {
        onClick?.(event);
        if (!event.defaultPrevented) follow(event);
      }}
    />
  );
}
