import * as messages from "../../contract/messages.json";

/**
 * Texts of the screens' own checks and outcomes, letter for letter from the specification (or ours,
 * where it has none). Those that the server says too are its own, exported from it. What the first load of every page
 * needs; `pageTexts` and `orderTexts` have the rest.
 */
export const texts = {
  enterInvoiceNumber: "Please enter your Invoice Number.",
  invoiceNotFound: "Invoice Number does not exist.",
  invalidLogin: "Invalid login information.",
  approvalRequired: "Sign-up approval is required. Please contact the administrator.",
  sessionExpired: messages.login_expired,
  somethingWentWrong: messages.something_went_wrong,
  pageNotFound: "Page not found.",
  // Ours:
  didNotWork: "That did not work. Please try again.",
  tooManyAttempts: messages.throttled,
  tryAgain: "Try again",
  offline: "You are offline.",
} as const;
