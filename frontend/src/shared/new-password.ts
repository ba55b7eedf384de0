import { limits } from "./limits";
import { pageTexts } from "./page-texts";

/** Why a new password is refused, in the order of the specification; undefined when it is good. */
export function checkNewPassword(password: string, confirmation: string): string | undefined {
  if (!password || !confirmation) return pageTexts.enterPassword;
  // Characters, as the server counts them: one outside the basic plane has length 2 here.
  if ([...password].length < limits.min_password) return pageTexts.passwordTooShort;
  if (password !== confirmation) return pageTexts.passwordsDiffer;
  return undefined;
}
