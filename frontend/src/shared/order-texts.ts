import * as messages from "../../contract/messages.json";

/** Texts of choosing and requesting products: kept out of the first load of the other pages. */
export const orderTexts = {
  requestOrder: "Would you like to request an order?",
  someOutOfStock: messages.out_of_stock,
  pricesChanged: messages.price_changed,
  noLines: messages.no_lines,
  belowMoq: messages.below_moq,
  notMultiple: messages.not_multiple_of_moq,
  nothingRetrievable: "Order information that is currently unavailable for retrieval.",
} as const;
