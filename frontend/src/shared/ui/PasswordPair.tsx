import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { cx } from "@/shared/cx";
import { limits } from "@/shared/limits";
import * as texts from "@/shared/texts";
import { Field } from "./Field";
import fieldStyles from "./Field.module.css";

export const NO_PASSWORDS = { password: "", passwordConfirm: "" };
type Passwords = Readonly<typeof NO_PASSWORDS>;

interface PasswordPairProps<Fields> {
  label: string;
  value: Fields;
  onChange: (fields: Fields) => void;
}

/** A new password, typed twice, among the fields of a form; says for as long as the two differ. */
export function PasswordPair<Fields extends Passwords>(props: PasswordPairProps<Fields>) {
  const { label, value, onChange } = props;
  const { password, passwordConfirm } = value;
  const differ = passwordConfirm !== "" && password !== passwordConfirm;
  return (
    <>
      <PasswordField
        label={label}
        name="password"
        value={password}
        onChange={(event) => onChange({ ...value, password: event.target.value })}
      />
      <PasswordField
        label="Confirm Password"
        name="passwordConfirm"
        value={passwordConfirm}
        error={differ ? texts.passwordsDiffer : undefined}
        onChange={(event) => onChange({ ...value, passwordConfirm: event.target.value })}
      />
    </>
  );
}

interface PasswordFieldProps extends Omit<ComponentProps<"input">, "type" | "id" | "className"> {
  label: string;
  error?: string | undefined;
}

/** A field for a new password, which can be looked at while it is typed. */
export function PasswordField({ label, error, required = false, ...input }: PasswordFieldProps) {
  const [isVisible, setVisible] = useState(false);
  const Icon = isVisible ? EyeOff : Eye;
  return (
    <Field label={label} error={error} required={required}>
      {(control) => (
        <span className="relative block">
          <input
            className={cx(fieldStyles.control, "pr-42!")}
            type={isVisible ? "text" : "password"}
            autoComplete="new-password"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={limits.length.password}
            {...input}
            {...control}
          />
          <button
            type="button"
            className="absolute grid place-items-center m-0! min-h-0! p-0 border-0 rounded-2
              text-ink-3 inset-y-1 right-1 w-40 bg-transparent hover:text-ink"
            aria-label={`Show ${label}`}
            aria-pressed={isVisible}
            onClick={() => setVisible(!isVisible)}
          >
            <Icon size={17} />
          </button>
        </span>
      )}
    </Field>
  );
}

/** Why a new password is refused, in the order of the specification; undefined when it is good. */
export function checkNewPassword(password: string, confirmation: string): string | undefined {
  if (!password || !confirmation) return texts.enterPassword;
  // Characters, as the server counts them: one outside the basic plane has length 2 here.
  if ([...password].length < limits.min_password) return texts.passwordTooShort;
  if (password !== confirmation) return texts.passwordsDiffer;
  return undefined;
}
