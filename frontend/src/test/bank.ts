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
