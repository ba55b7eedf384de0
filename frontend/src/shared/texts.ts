import * as messages from "../../contract/messages.json";

/**
 * Texts of the screens' own checks and outcomes, letter for letter from the specification (or ours,
 * where it has none). Those that the server says too are its own, exported from it.
 */
export const texts = {
  enterInvoiceNumber: "Please enter your Invoice Number.",
  invoiceNotFound: "Invoice Number does not exist.",
  invalidLogin: "Invalid login information.",
  approvalRequired: "Sign-up approval is required. Please contact the administrator.",
  sessionExpired: messages.login_expired,
  somethingWentWrong: messages.something_went_wrong,
  pageNotFound: "Page not found.",
  // Product order
  requestOrder: "Would you like to request an order?",
  someOutOfStock: messages.out_of_stock,
  noLines: messages.no_lines,
  belowMoq: messages.below_moq,
  notMultiple: messages.not_multiple_of_moq,
  nothingRetrievable: "Order information that is currently unavailable for retrieval.",
  // Ours:
  didNotWork: "That did not work. Please try again.",
  tooManyAttempts: messages.throttled,
  tryAgain: "Try again",
  offline: "You are offline.",
} as const;
