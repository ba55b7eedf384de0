/** Every key of the query cache, so that one feature can refresh what another shows. */
export const sessionKeys = {
  config: ["config"] as const,
};

export const policyKeys = {
  text: ["policy"] as const,
};

export const dashboardKeys = {
  all: ["dashboard"] as const,
  due: ["dashboard", "due"] as const,
};

export const noticeKeys = {
  list: ["notices", "list"] as const,
  detail: (id: number) => ["notices", "detail", id] as const,
};

export const basketKeys = {
  saved: ["baskets"] as const,
};

export const listKeys = {
  inHand: ["list"] as const,
};

export const productKeys = {
  all: ["products"] as const,
  brands: ["products", "brands"] as const,
  list: (brand: number | "promotion", filters: object) =>
    ["products", "list", brand, filters] as const,
  lists: ["products", "list"] as const,
  found: (search: string) => ["products", "found", search] as const,
  like: (search: string) => ["products", "like", search] as const,
  cart: ["products", "cart"] as const,
};

export const orderKeys = {
  all: ["orders"] as const,
  recent: ["orders", "recent"] as const,
  list: (statusId: number, filters: object) => ["orders", "list", statusId, filters] as const,
  lists: ["orders", "list"] as const,
  sums: (statusId: number, filters: object) => ["orders", "sums", statusId, filters] as const,
  details: (invoiceCode: string) => ["orders", "details", invoiceCode] as const,
  /** Of the buyer's own changes of how an order stands. */
  standing: (invoiceCode: string) => ["orders", "standing", invoiceCode] as const,
  row: (invoiceCode: string) => ["orders", "row", invoiceCode] as const,
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
  owed: ["account", "owed"] as const,
  wishes: ["account", "wishes"] as const,
  statement: (since: string, until: string) => ["account", "statement", since, until] as const,
  documents: (search: string, kind: string) => ["account", "documents", search, kind] as const,
};

export const walletKeys = {
  all: ["wallet"] as const,
};

export const addressKeys = {
  book: ["addresses", "book"] as const,
  states: (countryId: number) => ["addresses", "states", countryId] as const,
};

export const registrationKeys = {
  form: (token: string) => ["registration", token] as const,
  invitation: (token: string) => ["invitation", token] as const,
};
