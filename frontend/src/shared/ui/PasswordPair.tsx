import { pageTexts } from "@/shared/page-texts";
import { PasswordField } from "./PasswordField";

export interface Passwords {
  readonly password: string;
  readonly passwordConfirm: string;
}

export const NO_PASSWORDS: Passwords = { password: "", passwordConfirm: "" };

interface PasswordPairProps {
  label: string;
  value: Passwords;
  onChange: (change: Partial<Passwords>) => void;
}

/** A new password, typed twice; says for as long as the two differ. */
export function PasswordPair({ label, value, onChange }: PasswordPairProps) {
  const { password, passwordConfirm } = value;
  const differ = passwordConfirm !== "" && password !== passwordConfirm;
  return (
    <>
      <PasswordField
        label={label}
        name="password"
        value={password}
        onChange={(event) => onChange({ password: event.target.value })}
      />
      <PasswordField
        label="Confirm Password"
        name="passwordConfirm"
        value={passwordConfirm}
        error={differ ? pageTexts.passwordsDiffer : undefined}
        onChange={(event) => onChange({ passwordConfirm: event.target.value })}
      />
    </>
  );
}
