import { type Certificate, EMPTY_FIELDS, type RegistrationFields } from "./fields";

/** A form that is being filled in. */
export interface Draft {
  fields: RegistrationFields;
  /** 'same as company address' is ticked. */
  same: boolean;
  certificate?: Certificate | undefined;
}

const keyOf = (token: string) => `registration:${token}`;

/** What was typed under a link, kept in this tab so that it survives a reload; never the passwords. */
export const draft = {
  read: (token: string): Draft | undefined => {
    try {
      const stored = JSON.parse(sessionStorage.getItem(keyOf(token)) ?? "null") as Draft | null;
      return stored ? { ...stored, fields: { ...EMPTY_FIELDS, ...stored.fields } } : undefined;
    } catch {
      return undefined;
    }
  },
  write: (token: string, { fields, ...rest }: Draft): void => {
    const { password, confirm_password, ...kept } = fields;
    try {
      sessionStorage.setItem(keyOf(token), JSON.stringify({ fields: kept, ...rest }));
    } catch (error) {
      // A full storage costs what a reload would lose, nothing more.
      console.error(error);
    }
  },
  clear: (token: string): void => sessionStorage.removeItem(keyOf(token)),
};
