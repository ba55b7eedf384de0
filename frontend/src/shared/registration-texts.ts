import * as messages from "../../contract/messages.json";

/** Texts of the registration (specification sections 2, 5 and 8), kept out of the first load of the other pages. */
export const registrationTexts = {
  enterEmail: messages.email_missing,
  mailSent: "Authentication mail has been sent.",
  alreadySubscribed: messages.already_subscribed,
  tokenExpired: messages.link_expired,
  fillIn: messages.elements_missing,
  passwordTooShort: messages.sign_up_password_too_short,
  passwordsDiffer: messages.sign_up_passwords_differ,
  fileTooLarge: messages.certificate_too_large,
  companyAddressFirst: "Please enter your company address",
  pending: "Available after receiving administrator approval mail. (It takes 2 to 3 days)",
  // Ours:
  fieldRequired: "This field is required.",
  needMore: "We need a little more from you",
} as const;
