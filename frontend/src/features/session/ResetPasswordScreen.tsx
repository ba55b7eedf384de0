import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, errorCode, unwrap } from "@/api/client";
import * as texts from "@/shared/texts";
import { alert, alertSuccess } from "@/shared/ui/alerts";
import { Button } from "@/shared/ui/Button";
import { EntryChoice, EntryForm, EntryPage } from "@/shared/ui/EntryPage";
import { useDocumentTitle } from "@/shared/ui/Page";
import { Failure } from "@/shared/ui/Panels";
import { checkNewPassword, NO_PASSWORDS, PasswordPair } from "@/shared/ui/PasswordPair";

const TITLE = "Choose a new password";
/** Refusals that the specification words; any other says that it did not work. */
const WORDED = ["expired", "invalid"];

interface ResetPasswordScreenProps {
  token: string;
  /** The password is changed, or the link is of no more use. */
  onDone: (changed: boolean) => void;
}

/** /login for a visitor with a mailed reset link. */
export default function ResetPasswordScreen({ token, onDone }: ResetPasswordScreenProps) {
  const [fields, setFields] = useState(NO_PASSWORDS);
  const reset = useMutation({
    mutationFn: async () =>
      unwrap(await api.POST("/reset-password", { body: { token, ...fields } })),
    onSuccess: async () => {
      await alertSuccess(texts.passwordChanged);
      onDone(true);
    },
    onError: async (error) => {
      if (!isWorded(error)) return;
      await alert(error.message);
      if (errorCode(error) === "expired") onDone(false);
    },
  });
  useDocumentTitle(TITLE);

  const submit = async () => {
    const refused = checkNewPassword(fields.password, fields.passwordConfirm);
    if (refused) return alert(refused);
    reset.mutate();
  };

  return (
    <EntryPage
      title={TITLE}
      lead="It takes effect at once and signs you out on every other device."
    >
      <EntryForm noValidate onSend={submit}>
        <PasswordPair label="Change Password" value={fields} onChange={setFields} />
        <Button type="submit" variant="primary" size="large" wide busy={reset.isPending}>
          Submit
        </Button>
        <Failure error={reset.error && !isWorded(reset.error) && reset.error} />
      </EntryForm>
      <EntryChoice>
        Know your password?
        <Button onClick={() => onDone(false)}>Sign in</Button>
      </EntryChoice>
    </EntryPage>
  );
}

const isWorded = (error: Error) => WORDED.includes(errorCode(error) ?? "");
