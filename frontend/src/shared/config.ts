import type { components } from "@/api/schema.gen";

/** The public part of GET /config, which the page shell carries so that nothing flashes. */
type PortalConfig = Readonly<components["schemas"]["Configuration"]>;

let cached: PortalConfig | undefined;

/** The configuration in the page, read once. Throws if the page shell left it out. */
export function config(): PortalConfig {
  cached ??= JSON.parse(
    document.getElementById("portal-config")?.textContent ?? "",
  ) as PortalConfig;
  return cached;
}
