import { queryOptions, useMutation } from "@tanstack/react-query";
import { type RefObject, useState } from "react";
import { useNavigate } from "react-router";
import { ApiError, api, type Schemas, unwrap } from "@/api/client";
import { useDraft } from "@/shared/drafts";
import * as texts from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import {
  ALERTS,
  alertOf,
  asShipping,
  type Certificate,
  EMPTY_FIELDS,
  type FieldErrors,
  faultsIn,
  isCompleteAddress,
  NO_PASSWORDS,
  type PublicFields,
  type RegistrationFields,
} from "./rules";
import { useCertificate } from "./use-certificate";

/** What an open link brings: the choices, and for one that asks for more the form as it was sent. */
export type RegistrationForm = Required<Omit<Schemas["RegistrationForm"], "success">>;
export type FilledIn = Schemas["FilledIn"];

/** GET /register/init-info/{token}; null for a link that opens no form. */
export const registrationForm = (token: string) =>
  queryOptions({
    queryKey: ["registration", token],
    staleTime: Number.POSITIVE_INFINITY,
    meta: { onFailure: "alert" },
    queryFn: async ({ signal }): Promise<RegistrationForm | null> => {
      const params = { path: { token } };
      const call = await api.GET("/register/init-info/{token}", { params, signal });
      const { success, ...form } = unwrap(call);
      return success === 1 ? (form as RegistrationForm) : null;
    },
  });

/** What comes back after a reload; never the passwords. */
interface Draft {
  readonly fields: PublicFields;
  /** 'same as company address' is ticked. */
  readonly same: boolean;
  readonly certificate: Certificate | undefined;
}

const CLEARED = asShipping(EMPTY_FIELDS);

/** The registration form's fields and what its buttons do. `form` holds the named fields. */
export function useRegistration(
  token: string,
  { email, registration }: RegistrationForm,
  form: RefObject<HTMLFormElement | null>,
) {
  const navigate = useNavigate();
  const initial = firstDraft(registration);
  const { update, value, ...draft } = useDraft({ owner: token, form: "registration", initial });
  const [passwords, setPasswords] = useState(NO_PASSWORDS);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [sent, setSent] = useState(false);
  const typed = { ...initial.fields, ...value.fields, ...passwords };
  const fields = value.same ? { ...typed, ...asShipping(typed) } : typed;

  const leaveExpired = () =>
    alert(texts.tokenExpired).then(() => navigate("/register", { replace: true }));

  const certificate = useCertificate({
    token,
    email,
    certificate: value.certificate,
    onChange: (next) => {
      update((before) => ({ ...before, certificate: next }));
      forget(["certificate_files"]);
    },
    onExpired: () => void leaveExpired(),
  });

  const forget = (names: string[]) =>
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !names.includes(name))),
    );

  const change = (changes: Partial<RegistrationFields>) => {
    const { password, confirm_password, ...others } = { ...passwords, ...changes };
    setPasswords({ password, confirm_password });
    update((before) => ({ ...before, fields: { ...before.fields, ...others } }));
    const names = Object.keys(changes);
    forget(value.same ? [...names, ...names.map((name) => `ship_${name}`)] : names);
  };

  /** 'same as company address': needs one that is complete; unticking clears the shipping address. */
  const changeSame = async (tick: boolean, hasStates: boolean) => {
    if (tick && !isCompleteAddress(fields, hasStates)) {
      await alert(texts.companyAddressFirst);
      return;
    }
    update((before) => ({ ...before, same: tick, fields: { ...before.fields, ...CLEARED } }));
    forget(Object.keys(CLEARED));
  };

  /** Says what is wrong, in place and in the alert; then the first field at fault has the focus. */
  const refuse = async (faults: FieldErrors, text: string) => {
    setErrors(faults);
    await alert(text);
    const all = form.current?.querySelectorAll<HTMLElement>("[name]") ?? [];
    [...all].find((field) => (field.getAttribute("name") ?? "") in faults)?.focus();
  };

  const refused = async (error: unknown) => {
    if (!(error instanceof ApiError)) return;
    if (error.code === "expired") return leaveExpired();
    if (error.code !== "invalid") return;
    const refusals = Object.entries(error.errors).map(([name, [first]]) => [name, first]);
    const isOurs = ALERTS.includes(error.message);
    const text = isOurs ? error.message : (refusals[0]?.[1] ?? texts.somethingWentWrong);
    await refuse(Object.fromEntries(refusals), text);
  };

  // 1 sent, -1 already subscribed; nothing if the certificate did not arrive, which is waited for.
  const signUp = useMutation({
    meta: { onFailure: "alert", except: ["throttled", "expired", "invalid"] },
    mutationFn: async () => {
      const settled = await certificate.settled();
      if (!settled) return undefined;
      const certificate_files = settled.file_name;
      // The tick was asked for before: see `faultsIn`.
      const body = { ...fields, terms: true, email, token, certificate_files } as const;
      return unwrap(await api.POST("/register/sign-up", { body })).success;
    },
  });

  const submit = async () => {
    const faults = form.current ? faultsIn(form.current, passwords) : {};
    const first = alertOf(faults);
    if (first) return refuse(faults, first);
    try {
      const success = await signUp.mutateAsync();
      if (success === undefined)
        return form.current?.querySelector<HTMLElement>("[name=certificate_files]")?.focus();
      if (success !== 1) return alert(texts.alreadySubscribed);
      draft.forget();
      setSent(true);
    } catch (error) {
      await refused(error);
    }
  };

  return {
    isReady: draft.isReady,
    fields,
    same: value.same,
    errors,
    certificate,
    change,
    changeSame: (tick: boolean, hasStates: boolean) => void changeSame(tick, hasStates),
    busy: signUp.isPending,
    failure: signUp.error,
    sent,
    submit,
  };
}

/** An empty form, or the one that was sent before. */
function firstDraft(registration: FilledIn | null): Draft {
  if (!registration) return { fields: EMPTY_FIELDS, same: false, certificate: undefined };
  const { certificate_files, certificate_name, ...filledIn } = registration;
  const former = { file_name: certificate_files, name: certificate_name };
  return {
    fields: { ...EMPTY_FIELDS, ...filledIn },
    same: false,
    certificate: certificate_files ? former : undefined,
  };
}
