import type { Policy } from "@/api/seller";

/** The seller's one account. */
export const BANK = {
  label: "",
  currency: "USD",
  bank: "Harbour Commercial Bank, Seoul",
  holder: "Maren & Holt Beauty Export Ltd.",
  account_number: "4008 117 220955",
  routing_number: "0841 00229",
  address: "27 Bomgil-ro, Seoul",
};

/** The privacy policy and the terms of use as they hold today. */
export function policyText(fields: Partial<Policy> = {}): Policy {
  return {
    number: 0,
    holds_from: "2022-05-17",
    html:
      '<h2 id="privacy-policy" tabindex="-1">Privacy policy</h2><p>What we keep.</p>' +
      '<h2 id="terms-of-use" tabindex="-1">Terms of use</h2><p>For business buyers.</p>' +
      '<h3 id="returns-and-claims" tabindex="-1">Returns and claims</h3><p>Returns within 7 days of receipt.</p>' +
      '<h3 id="governing-law" tabindex="-1">Governing law</h3><p>Korean law.</p>',
    contents: [
      { id: "privacy-policy", title: "Privacy policy", level: 2 },
      { id: "terms-of-use", title: "Terms of use", level: 2 },
      { id: "returns-and-claims", title: "Returns and claims", level: 3 },
      { id: "governing-law", title: "Governing law", level: 3 },
    ],
    ...fields,
  };
}
