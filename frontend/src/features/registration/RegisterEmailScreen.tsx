import { useMutation } from "@tanstack/react-query";
import { MailCheck } from "lucide-react";
import { useRef, useState } from "react";
import { api, errorCode, fieldError, unwrap } from "@/api/client";
import * as texts from "@/shared/texts";
import { alert, alertSuccess } from "@/shared/ui/alerts";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { EntryChoice, EntryForm, EntryNote, EntryPage } from "@/shared/ui/EntryPage";
import { TextField } from "@/shared/ui/Field";
import { useDocumentTitle } from "@/shared/ui/Page";
import { Failure } from "@/shared/ui/Panels";

/** /register: asks for the link to the registration form. */
export default function RegisterEmailScreen() {
  useDocumentTitle("Sign up");
  // 1 mail sent, -1 already subscribed.
  const request = useMutation({
    meta: { onFailure: "alert", except: ["throttled"] },
    mutationFn: async (email: string) =>
      unwrap(await api.POST("/register/email-check", { body: { email } })),
  });
  const field = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState("");

  const submit = async () => {
    if (email.trim()) {
      const answer = await request.mutateAsync(email.trim()).catch(() => undefined);
      if (!answer) return;
      await tell(answer.success === 1);
    } else {
      await alert(texts.enterEmail);
    }
    field.current?.focus();
  };

  const tell = async (isSent: boolean) => {
    if (!isSent) return alert(texts.alreadySubscribed);
    await alertSuccess(texts.mailSent);
    setEmail("");
  };

  const throttled = errorCode(request.error) === "throttled";
  return (
    <EntryPage
      title="Sign up"
      lead="Enter your business e-mail. We send you a link to the registration form."
    >
      <EntryForm onSend={submit}>
        <TextField
          ref={field}
          label="Email"
          type="email"
          autoComplete="email"
          placeholder="you@company.com"
          error={fieldError(request.error, "email")}
          value={email}
          onChange={(event) => {
            setEmail(event.target.value);
            if (request.isError) request.reset();
          }}
        />
        <Button type="submit" variant="primary" size="large" wide busy={request.isPending}>
          Authentication request
        </Button>
        <Failure error={throttled && request.error} />
        <EntryNote icon={MailCheck}>
          Registration is for business buyers only. An administrator approves each application
          within 2 to 3 days.
        </EntryNote>
      </EntryForm>
      <EntryChoice>
        Already have an account?
        <ButtonLink to="/login">Sign in</ButtonLink>
      </EntryChoice>
    </EntryPage>
  );
}
