/** The public part of GET /config, which the page shell carries so that nothing flashes. */
export interface PortalConfig {
  readonly title: string;
  readonly subtitle: string;
  readonly accent: string;
  /** The address of the seller's logo, or empty. */
  readonly logo: string;
  readonly sales_email: string;
  readonly image_host: string;
  /** What a buyer should know before paying. */
  readonly checklist: { readonly title: string; readonly points: readonly string[] };
  /** What the checkout says beside it. */
  readonly notes: {
    readonly declaration: string;
    readonly responsibility: string;
    readonly shipping: string;
  };
  /** The seller's own question before a PayPal payment, in place of the usual one. */
  readonly paypal_warning?: string;
}

let cached: PortalConfig | undefined;

/** The configuration in the page, read once. Throws if the page shell left it out. */
export function config(): PortalConfig {
  cached ??= JSON.parse(
    document.getElementById("portal-config")?.textContent ?? "",
  ) as PortalConfig;
  return cached;
}
