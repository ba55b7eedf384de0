import { config } from "./config";
import { pageTexts } from "./page-texts";
import { confirm } from "./ui/alerts";

/** Asks whether a PayPal payment's surcharge is agreed to. */
export function agreeToSurcharge(): Promise<boolean> {
  return confirm(config().paypal_warning ?? pageTexts.paypalSurcharge);
}
