/** Every key of the query cache, so that one feature can refresh what another shows. */
export const sessionKeys = {
  config: ["config"] as const,
};

export const dashboardKeys = {
  all: ["dashboard"] as const,
};

export const noticeKeys = {
  list: ["notices", "list"] as const,
  detail: (id: number) => ["notices", "detail", id] as const,
};

export const productKeys = {
  all: ["products"] as const,
  brands: ["products", "brands"] as const,
  list: (brand: number | "promotion", search: string) =>
    ["products", "list", brand, search] as const,
  lists: ["products", "list"] as const,
  cart: ["products", "cart"] as const,
};

export const orderKeys = {
  all: ["orders"] as const,
  recent: ["orders", "recent"] as const,
  list: (statusId: number, wanted: object) => ["orders", "list", statusId, wanted] as const,
  details: (invoiceCode: string) => ["orders", "details", invoiceCode] as const,
};

export const temporaryOrderKeys = {
  info: (invoiceCode: string) => ["temporary-orders", invoiceCode] as const,
};

export const paymentKeys = {
  back: (call: "success" | "failure", invoiceCode: string, token: string) =>
    ["payments", call, invoiceCode, token] as const,
};

export const walletKeys = {
  all: ["wallet"] as const,
};

export const addressKeys = {
  states: (countryId: number) => ["addresses", "states", countryId] as const,
};

export const registrationKeys = {
  form: (token: string) => ["registration", token] as const,
};
