import * as messages from "../../contract/messages.json";

/** Texts that only some pages need (`texts` has what all need): kept out of the first load of the others. */
export const pageTexts = {
  noResults: "No Results Found.",
  enterMessage: messages.message_required,
  messageRegistered: "Message registered successfully.",
  changeAddress: "Do you want to change the shipping address?",
  addressChanged: "Shipping address has been changed.",
  balanceDepositorRequired: messages.balance_depositor_required,
  /** Holds `{sales_email}`. */
  balanceDeclarationRequired: messages.balance_declaration_required,
  // Product order
  orderListTooLarge: messages.order_list_too_large,
  // Deposit checkout
  fillOutAgain: "Some products are out of stock. Please fill out the order form again.",
  checkDeclaration: "Please check the export declaration.",
  depositorRequired: messages.depositor_required,
  declarationForTransfer: messages.declaration_required,
  declarationForWire: "Agreement to export declaration is required for Bank Wire payment.",
  orderExists: messages.order_exists,
  paymentInProgress: "The payment is in progress. Please wait a moment.",
  noNotices: "There are no registered notices.",
  // System
  enterPassword: messages.password_missing,
  passwordTooShort: messages.password_too_short,
  passwordsDiffer: messages.passwords_differ,
  passwordChanged: "Your password has been changed.",
  // Ours:
  paypalSurcharge:
    "A surcharge applies to PayPal payments: 3.5 % for US customers and 5 % for South America. Please contact your sales representative. Do you want to continue?",
  stillWaiting: "Your payment is still being confirmed. Your order page will show it.",
  cancelCheckout: "The product list created will be deleted. Do you want to cancel the order?",
  /** Before how it stands now. */
  orderChanged: "This order has changed in the meantime. It is now:",
  poNumberHint: "Your own number. It is printed on the order's papers.",
  fileTooLarge: messages.buyer_file_too_large,
  fieldRequired: "This field is required.",
} as const;
