import { useQuery } from "@tanstack/react-query";
import { MessageSquareText } from "lucide-react";
import { useNavigate, useParams } from "react-router";
import { useOnChange } from "@/shared/effects";
import * as texts from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import { PageTitle } from "@/shared/ui/Page";
import { Card, Loading, QueryFailed, Skeleton } from "@/shared/ui/Panels";
import { PublicPage } from "@/shared/ui/PublicPage";
import { RegistrationFormFields } from "./RegistrationFormFields";
import { registrationForm } from "./use-registration";

/** /register/{token}: the registration form that a mailed link opens. */
export default function RegistrationScreen() {
  const { token = "" } = useParams();
  const query = useQuery(registrationForm(token));
  const { data } = query;
  const navigate = useNavigate();
  // A link that opens no form: says so, then the visitor may ask for a new one.
  useOnChange(data === null || undefined, () => {
    void alert(texts.tokenExpired).then(() => navigate("/register", { replace: true }));
  });
  return (
    <PublicPage width={872}>
      <div className="grid gap-16">
        <header
          className="mb-6
          [&_h1]:serif-34 [&_h1]:font-[520] [&_h1]:leading-[1.2] [&_h1]:tracking-serif
          [&_p]:mt-6 [&_p]:text-ink-3 [&_p]:text-15 phone:[&_h1]:text-29"
        >
          <PageTitle text="Sign up" />
          <p>
            Fields marked{" "}
            <span className="text-bad">
              <span aria-hidden>*</span>
              <span className="sr-only">with a star</span>
            </span>{" "}
            are required.
          </p>
        </header>
        {data?.message && <MoreRequested message={data.message} />}
        {data && <RegistrationFormFields token={token} form={data} />}
        {query.isLoadingError && (
          <Card>
            <QueryFailed query={query} />
          </Card>
        )}
        {!data && !query.isError && (
          <Loading className="grid gap-16">
            {[196, 384, 270].map((height) => (
              <Skeleton key={height} height={height} radius={12} />
            ))}
          </Loading>
        )}
      </div>
    </PublicPage>
  );
}

/** What staff ask for, in their own words. */
function MoreRequested({ message }: { message: string }) {
  return (
    <section
      className="flex gap-14 rounded-3 bg-accent-soft py-18 px-20 border border-graphic
        [&_svg]:flex-none [&_svg]:mt-2 [&_svg]:text-accent [&_h2]:text-16 [&_p]:mt-4
        [&_p]:wrap-anywhere [&_p]:whitespace-pre-line"
      aria-labelledby="asked"
    >
      <MessageSquareText size={19} />
      <div>
        <h2 id="asked">{texts.needMore}</h2>
        <p>{message}</p>
      </div>
    </section>
  );
}
