/**
 * Texts of the screens' own checks and outcomes, letter for letter from the specification (or ours, where it has none):
 * `import * as texts`. Those that the server says too are its own, exported from it. Each goes into the chunk that says it.
 */
import * as messages from "../../contract/messages.json";

export const somethingWentWrong = messages.something_went_wrong;
export const noResults = "No Results Found.";
export const pageNotFound = "Page not found.";
// Sign-in
export const invalidLogin = "Invalid login information.";
export const approvalRequired = "Sign-up approval is required. Please contact the administrator.";
export const sessionExpired = messages.login_expired;
// Quick Search
export const enterInvoiceNumber = "Please enter your Invoice Number.";
export const invoiceNotFound = "Invoice Number does not exist.";
// Product order
export const requestOrder = "Would you like to request an order?";
export const someOutOfStock = messages.out_of_stock;
export const pricesChanged = messages.price_changed;
export const noLines = messages.no_lines;
export const belowMoq = messages.below_moq;
export const notMultiple = messages.not_multiple_of_moq;
export const nothingRetrievable = "Order information that is currently unavailable for retrieval.";
export const orderListTooLarge = messages.order_list_too_large;
// Deposit checkout
export const fillOutAgain = "Some products are out of stock. Please fill out the order form again.";
export const checkDeclaration = "Please check the export declaration.";
export const depositorRequired = messages.depositor_required;
export const declarationForTransfer = messages.declaration_required;
export const declarationForWire =
  "Agreement to export declaration is required for Bank Wire payment.";
export const orderExists = messages.order_exists;
export const paymentInProgress = "The payment is in progress. Please wait a moment.";
// Order info
export const enterMessage = messages.message_required;
export const messageRegistered = "Message registered successfully.";
export const changeAddress = "Do you want to change the shipping address?";
export const addressChanged = "Shipping address has been changed.";
export const balanceDepositorRequired = messages.balance_depositor_required;
/** Holds `{sales_email}`. */
export const balanceDeclarationRequired = messages.balance_declaration_required;
// Notices
export const noNotices = "There are no registered notices.";
// System
export const enterPassword = messages.password_missing;
export const passwordTooShort = messages.password_too_short;
export const passwordsDiffer = messages.passwords_differ;
export const passwordChanged = "Your password has been changed.";
// Registration (sections 2, 5 and 8)
export const enterEmail = messages.email_missing;
export const mailSent = "Authentication mail has been sent.";
export const alreadySubscribed = messages.already_subscribed;
export const tokenExpired = messages.link_expired;
export const fillIn = messages.elements_missing;
export const signUpPasswordTooShort = messages.sign_up_password_too_short;
export const signUpPasswordsDiffer = messages.sign_up_passwords_differ;
export const certificateTooLarge = messages.certificate_too_large;
export const companyAddressFirst = "Please enter your company address";
export const pending =
  "Available after receiving administrator approval mail. (It takes 2 to 3 days)";

// Ours:
export const didNotWork = "That did not work. Please try again.";
export const tooManyAttempts = messages.throttled;
export const tryAgain = "Try again";
export const offline = "You are offline.";
export const paypalSurcharge =
  "A surcharge applies to PayPal payments: 3.5 % for US customers and 5 % for South America. Please contact your sales representative. Do you want to continue?";
export const stillWaiting = "Your payment is still being confirmed. Your order page will show it.";
export const cancelCheckout =
  "The product list created will be deleted. Do you want to cancel the order?";
/** Before how it stands now. */
export const orderChanged = "This order has changed in the meantime. It is now:";
export const poNumberHint = "Your own number. It is printed on the order's papers.";
export const fileTooLarge = messages.buyer_file_too_large;
export const fieldRequired = "This field is required.";
export const needMore = "We need a little more from you";
