import { useMutation, useQuery } from "@tanstack/react-query";
import { LifeBuoy } from "lucide-react";
import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { api, type Schemas, unwrap } from "@/api/client";
import { useSession } from "@/api/session";
import { config } from "@/shared/config";
import * as texts from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { EntryChoice, EntryForm, EntryNote, EntryPage } from "@/shared/ui/EntryPage";
import { TextField } from "@/shared/ui/Field";
import { useDocumentTitle } from "@/shared/ui/Page";
import { Failure, Loaded } from "@/shared/ui/Panels";
import { checkNewPassword, NO_PASSWORDS, PasswordPair } from "@/shared/ui/PasswordPair";
import { TermsTick } from "./TermsTick";

/** Whom an invitation is for. */
type Invited = Required<Omit<Schemas["Invitation"], "success">>;

const TITLE = "Choose your password";
const EMPTY = {
  ...NO_PASSWORDS,
  terms: false,
  terms_version: null as number | null,
};

/** /invitation/{token}: the first password of somebody whom the seller has added; reached from the mailed link, whoever is signed in. */
export default function InvitationScreen() {
  const { token = "" } = useParams();
  useDocumentTitle(TITLE);
  const query = useQuery({
    queryKey: ["invitation", token],
    staleTime: Number.POSITIVE_INFINITY,
    // Null for a link that is not good any more.
    queryFn: async ({ signal }): Promise<Invited | null> => {
      const params = { path: { token } };
      const { success, ...invited } = unwrap(
        await api.GET("/invitation/{token}", { params, signal }),
      );
      return success === 1 ? (invited as Invited) : null;
    },
  });
  const { data } = query;
  if (data === null) return <Expired />;
  const lead = data
    ? `Dear ${data.manager}, your account for ${data.company} is ready.`
    : "One moment: we are looking for your invitation.";
  return (
    <EntryPage title={TITLE} lead={lead}>
      <Loaded query={query} height={280} className="">
        {(invited) => invited && <InvitationForm token={token} invited={invited} />}
      </Loaded>
    </EntryPage>
  );
}

function Expired() {
  const { sales_email } = config();
  return (
    <EntryPage
      title="This invitation is no longer valid"
      lead="It was used already, replaced by a newer one, or is older than 14 days."
    >
      <EntryChoice>
        Have a password?
        <ButtonLink to="/login">Sign in</ButtonLink>
      </EntryChoice>
      <EntryNote icon={LifeBuoy}>
        Ask <a href={`mailto:${sales_email}`}>{sales_email}</a> for a new one.
      </EntryNote>
    </EntryPage>
  );
}

function InvitationForm({ token, invited }: { token: string; invited: Invited }) {
  const { signIn } = useSession();
  const navigate = useNavigate();
  // Answers as a sign-in.
  const accept = useMutation({
    mutationFn: async (body: Schemas["AcceptedInvitationRequest"]) =>
      unwrap(await api.POST("/invitation", { body })),
  });
  const [fields, setFields] = useState(EMPTY);
  const [tried, setTried] = useState(false);
  const { password, passwordConfirm, terms } = fields;

  const submit = async () => {
    setTried(true);
    const refused = checkNewPassword(password, passwordConfirm);
    if (refused) return alert(refused);
    if (!terms) return;
    const answer = await accept.mutateAsync({ ...fields, terms, token }).catch(() => undefined);
    if (!answer?.token || !answer.user) return;
    signIn(answer.token, answer.user);
    void navigate("/dashboard", { replace: true });
  };

  return (
    <EntryForm noValidate onSend={submit}>
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        value={invited.email}
        readOnly
      />
      <PasswordPair label="Password" value={fields} onChange={setFields} />
      <TermsTick
        terms={terms}
        onTerms={(accepted, version) =>
          setFields({ ...fields, terms: accepted, terms_version: version })
        }
        error={tried && !terms ? texts.fieldRequired : undefined}
      />
      <Button type="submit" variant="primary" size="large" wide busy={accept.isPending}>
        Set password and sign in
      </Button>
      <Failure error={accept.error} />
    </EntryForm>
  );
}
