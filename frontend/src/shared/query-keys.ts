/** Keys of the query cache that several places name, so that one feature can refresh what another shows. */
export const dashboardKeys = { all: ["dashboard"] as const };
export const basketKeys = { saved: ["baskets"] as const };
export const walletKeys = { all: ["wallet"] as const };
export const addressKeys = { book: ["addresses", "book"] as const };

export const productKeys = {
  all: ["products"] as const,
  lists: ["products", "list"] as const,
  cart: ["products", "cart"] as const,
};

export const orderKeys = {
  all: ["orders"] as const,
  lists: ["orders", "list"] as const,
  details: (invoiceCode: string) => ["orders", "details", invoiceCode] as const,
  /** Of the buyer's own changes of how an order stands. */
  standing: (invoiceCode: string) => ["orders", "standing", invoiceCode] as const,
  messages: (invoiceCode: string) => ["orders", "messages", invoiceCode] as const,
  wire: (invoiceCode: string) => ["orders", "wire", invoiceCode] as const,
};

export const temporaryOrderKeys = {
  unfinished: ["temporary-orders"] as const,
  info: (invoiceCode: string) => ["temporary-orders", invoiceCode] as const,
};

export const paymentKeys = {
  back: (call: "success" | "failure", invoiceCode: string, token: string) =>
    ["payments", call, invoiceCode, token] as const,
};

export const accountKeys = {
  codes: ["account", "codes"] as const,
  colleagues: ["account", "colleagues"] as const,
  counts: ["account", "counts"] as const,
  wishes: ["account", "wishes"] as const,
};
