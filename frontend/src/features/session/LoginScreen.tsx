import { LifeBuoy } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { useSession } from "@/api/session";
import { config } from "@/shared/config";
import * as texts from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { EntryChoice, EntryForm, EntryNote, EntryPage } from "@/shared/ui/EntryPage";
import { TextField } from "@/shared/ui/Field";
import { useDocumentTitle } from "@/shared/ui/PageHeading";
import { Failure } from "@/shared/ui/Panels";
import { useLogin } from "./mutations";

/** /login: the sign-in. */
export function LoginScreen() {
  const { sales_email } = config();
  useDocumentTitle();
  return (
    <EntryPage
      title="Sign in"
      lead="Order at wholesale prices and follow every shipment in one place."
    >
      <LoginForm />
      <EntryChoice>
        New to the platform?
        <ButtonLink to="/register">Sign up</ButtonLink>
      </EntryChoice>
      <EntryNote icon={LifeBuoy}>
        If you forgot your e-mail or password, please contact{" "}
        <a href={`mailto:${sales_email}`}>{sales_email}</a>.
      </EntryNote>
    </EntryPage>
  );
}

function LoginForm() {
  const { signIn } = useSession();
  const login = useLogin();
  const email = useRef<HTMLInputElement>(null);
  const [fields, setFields] = useState({ email: "", password: "" });

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (login.isPending) return;
    const answer = await login.mutateAsync(fields).catch(() => undefined);
    if (!answer) return;
    if (answer.success === 1 && answer.token && answer.user) {
      signIn(answer.token, answer.user);
      return;
    }
    await alert(answer.success === -2 ? texts.approvalRequired : texts.invalidLogin);
    setFields({ email: "", password: "" });
    email.current?.focus();
  };

  return (
    <EntryForm onSubmit={submit}>
      <TextField
        ref={email}
        label="Email"
        type="email"
        autoFocus
        autoComplete="username"
        value={fields.email}
        onChange={(event) => setFields({ ...fields, email: event.target.value })}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        value={fields.password}
        onChange={(event) => setFields({ ...fields, password: event.target.value })}
      />
      <Button type="submit" variant="primary" size="large" wide busy={login.isPending}>
        Sign in
      </Button>
      <Failure error={login.error} />
    </EntryForm>
  );
}
