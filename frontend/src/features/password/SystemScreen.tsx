import { useMutation } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { api, unwrap } from "@/api/client";
import { useUser } from "@/api/session";
import { limits } from "@/shared/limits";
import { useIsOnline } from "@/shared/online";
import * as texts from "@/shared/texts";
import { token } from "@/shared/token";
import { alert, alertSuccess } from "@/shared/ui/alerts";
import { Button } from "@/shared/ui/Button";
import { Form } from "@/shared/ui/Field";
import { PageHeading } from "@/shared/ui/Page";
import { Card, Failure, OfflineReason } from "@/shared/ui/Panels";
import { checkNewPassword, NO_PASSWORDS, PasswordPair } from "@/shared/ui/PasswordPair";

/** /Setting: the change of the password. */
export default function SystemScreen() {
  const { company_id } = useUser();
  const [fields, setFields] = useState(NO_PASSWORDS);
  // The old token ends with it: the one of the answer takes its place.
  const change = useMutation({
    mutationFn: async () => {
      const params = { path: { company_id: String(company_id) } };
      const body = { ...fields, company_id };
      const answer = unwrap(await api.PUT("/password/{company_id}", { params, body }));
      if (answer.success === 1) token.set(answer.token);
      return answer;
    },
  });
  const isOnline = useIsOnline();

  const submit = async () => {
    const refused = checkNewPassword(fields.password, fields.passwordConfirm);
    if (refused) return alert(refused);
    const answer = await change.mutateAsync().catch(() => undefined);
    if (answer?.success !== 1) return;
    setFields(NO_PASSWORDS);
    await alertSuccess(texts.passwordChanged);
  };

  return (
    <div className="grid gap-cards max-w-912 mx-auto">
      <PageHeading title="System" />
      <Card className="grid grid-cols-[5fr_6fr] phone:grid-cols-1">
        <div
          className="p-28 border-r border-line
            [&_h2]:mt-14 [&_h2]:text-15 [&_p]:mt-6 [&_p]:text-ink-3
            phone:pt-20 phone:pb-0 phone:px-16 phone:border-r-0"
        >
          <span className="grid place-items-center rounded-2 bg-accent-soft text-accent w-36 h-36">
            <KeyRound size={19} />
          </span>
          <h2>Change Password</h2>
          <p>
            Use at least {limits.min_password} characters. The new password applies the next time
            you sign in.
          </p>
        </div>
        <Form
          noValidate
          className="grid content-start gap-20 max-w-462 p-28
            phone:max-w-none phone:pt-24 phone:pb-20 phone:px-16"
          onSend={submit}
        >
          <PasswordPair label="Change Password" value={fields} onChange={setFields} />
          <Button
            type="submit"
            variant="primary"
            busy={change.isPending}
            disabled={!isOnline}
            className="justify-self-start phone:justify-self-stretch"
          >
            Submit
          </Button>
          <OfflineReason text="Changing the password needs a connection." />
          <Failure error={isOnline && change.error} />
        </Form>
      </Card>
    </div>
  );
}
