import { useMutation } from "@tanstack/react-query";
import { LifeBuoy } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { Navigate, useLocation, useNavigate } from "react-router";
import { api, unwrap } from "@/api/client";
import { useSession } from "@/api/session";
import { config } from "@/shared/config";
import { useOnChange } from "@/shared/effects";
import { rememberedPage } from "@/shared/navigation";
import * as texts from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { EntryChoice, EntryForm, EntryNote, EntryPage } from "@/shared/ui/EntryPage";
import { TextField } from "@/shared/ui/Field";
import { useDocumentTitle } from "@/shared/ui/Page";
import { Failure, Loading } from "@/shared/ui/Panels";

const ResetPasswordScreen = lazy(() => import("./ResetPasswordScreen"));

/** A mailed `#reset=…` link asks for a new password first, whoever is signed in. */
export default function LoginScreen() {
  const { session, logOut } = useSession();
  const { state } = useLocation();
  const [token, forget] = useResetToken();
  if (token !== undefined) {
    const finish = (changed: boolean) => {
      // The change has ended every sign-in, this browser's among them.
      if (changed && session.phase === "in") logOut();
      forget();
    };
    return (
      <Suspense fallback={<Loading />}>
        <ResetPasswordScreen token={token} onDone={finish} />
      </Suspense>
    );
  }
  if (session.phase === "in") return <Navigate to={rememberedPage(state)} replace />;
  return <SignIn />;
}

function SignIn() {
  const { sales_email } = config();
  const { signIn } = useSession();
  const [fields, setFields] = useState({ email: "", password: "" });
  const login = useMutation({
    mutationFn: async (body: typeof fields) => unwrap(await api.POST("/login", { body })),
  });
  const email = useRef<HTMLInputElement>(null);
  useDocumentTitle();

  const submit = async () => {
    const answer = await login.mutateAsync(fields).catch(() => undefined);
    if (!answer) return;
    const { success, token, user } = answer;
    if (success === 1 && token && user) return signIn(token, user);
    await alert(success === -2 ? texts.approvalRequired : texts.invalidLogin);
    setFields({ email: "", password: "" });
    email.current?.focus();
  };

  return (
    <EntryPage
      title="Sign in"
      lead="Order at wholesale prices and follow every shipment in one place."
    >
      <EntryForm onSend={submit}>
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

const FRAGMENT = "#reset=";

const tokenIn = (hash: string) =>
  hash.startsWith(FRAGMENT) ? hash.slice(FRAGMENT.length) : undefined;

/** The token of a `#reset=…` link, which leaves the address bar at once and never enters a storage. */
function useResetToken(): [token: string | undefined, forget: () => void] {
  const { hash, pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState(() => tokenIn(hash));

  useOnChange(tokenIn(hash), (linkToken) => {
    setToken(linkToken);
    void navigate({ pathname, search }, { replace: true, state });
  });

  return [token, () => setToken(undefined)];
}
