import { lazy, type ReactNode, Suspense, useId, useRef } from "react";
import { useNavigate } from "react-router";
import { useStates } from "@/api/addresses";
import { errorCode } from "@/api/client";
import { REQUIRED_SHIP_FIELDS, type ShipField } from "@/domain/shipping";
import { limits } from "@/shared/limits";
import * as texts from "@/shared/texts";
import { AddressFields } from "@/shared/ui/AddressFields";
import { Checkbox, Form, Options, SelectField, TextField } from "@/shared/ui/Field";
import { failureText } from "@/shared/ui/failure";
import { Card } from "@/shared/ui/Panels";
import { PasswordField } from "@/shared/ui/PasswordPair";
import { CertificateField } from "./CertificateField";
import { asCompany, asShipping } from "./rules";
import { SubmitBar } from "./TermsTick";
import { type RegistrationForm, useRegistration } from "./use-registration";

const PendingDialog = lazy(() => import("./PendingDialog"));

const COMPANY_REQUIRED: ShipField[] = ["ship_country", "ship_city", "ship_address1"];

type TextName = "company" | "manager" | "phone" | "sales_channel";

/** The registration form in four cards, with its bar. */
export function RegistrationFormFields({ token, form }: { token: string; form: RegistrationForm }) {
  const navigate = useNavigate();
  const element = useRef<HTMLFormElement>(null);
  const registration = useRegistration(token, form, element);
  const { fields, errors, change } = registration;
  const companyStates = useStates(fields.country);
  const shippingStates = useStates(fields.ship_country);

  const text = (name: TextName, autoComplete: string) => ({
    name,
    autoComplete,
    required: true,
    value: fields[name],
    error: errors[name],
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  });
  const password = (name: "password" | "confirm_password") => ({
    name,
    required: true,
    value: fields[name],
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  });
  if (!registration.isReady) return null;
  // It shows as soon as the second cannot become the first.
  const differs = !fields.password.startsWith(fields.confirm_password);
  const throttled = errorCode(registration.failure) === "throttled";

  return (
    <Form
      ref={element}
      noValidate
      className="grid gap-16 pb-96 small:pb-148"
      onSend={registration.submit}
    >
      <RegistrationSection title="Account" remark="You sign in with this e-mail.">
        <TextField
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username"
          className="col-span-full"
          readOnly
          error={errors.email}
          value={form.email}
        />
        <PasswordField label="Password" error={errors.password} {...password("password")} />
        <PasswordField
          label="Confirm Password"
          error={errors.confirm_password ?? (differs ? texts.signUpPasswordsDiffer : undefined)}
          {...password("confirm_password")}
        />
      </RegistrationSection>
      <RegistrationSection title="Company" remark="As on your business registration.">
        <TextField
          label="Company"
          maxLength={limits.length.company}
          {...text("company", "organization")}
        />
        <TextField label="Manager" maxLength={limits.length.manager} {...text("manager", "name")} />
        <TextField
          label="Phone"
          type="tel"
          inputMode="tel"
          maxLength={limits.length.phone}
          {...text("phone", "tel")}
        />
        <SelectField
          label="Business type"
          name="business_type"
          autoComplete="off"
          error={errors.business_type}
          value={fields.business_type ?? ""}
          onChange={({ target }) =>
            change({ business_type: target.value ? Number(target.value) : null })
          }
        >
          <option value="">Select a business type</option>
          <Options of={form.businessType.map(({ type_id, type }) => [type_id, type])} />
        </SelectField>
        <TextField
          label="Sales channel"
          className="col-span-full"
          maxLength={limits.length.sales_channel}
          {...text("sales_channel", "off")}
        />
        <CertificateField
          className="col-span-full"
          state={registration.certificate}
          error={errors.certificate_files}
        />
      </RegistrationSection>
      <RegistrationSection title="Company address" remark="Where your company is registered.">
        <div className="col-span-full">
          <AddressFields
            kind="company"
            narrow
            required={COMPANY_REQUIRED}
            value={{ ...asShipping(fields), ship_phone: "" }}
            onChange={(changes) => change(asCompany(changes))}
            errorOf={(name) => errors[name.slice("ship_".length)]}
            countries={form.country}
            states={companyStates}
          />
        </div>
      </RegistrationSection>
      <RegistrationSection title="Shipping address" remark="Where your orders go.">
        <div className="col-span-full">
          <Checkbox
            checked={registration.same}
            onChange={({ target }) =>
              registration.changeSame(target.checked, companyStates.length > 0)
            }
          >
            same as company address
          </Checkbox>
        </div>
        <div className="col-span-full">
          <AddressFields
            narrow
            required={REQUIRED_SHIP_FIELDS}
            readOnly={registration.same}
            value={fields}
            onChange={change}
            errorOf={(name) => errors[name]}
            countries={form.country}
            states={shippingStates}
          />
        </div>
      </RegistrationSection>
      <SubmitBar
        terms={fields.terms}
        onTerms={(terms, terms_version) => change({ terms, terms_version })}
        error={errors.terms}
        busy={registration.busy}
        failure={throttled ? failureText(registration.failure) : undefined}
      />
      <Suspense fallback={null}>
        {registration.sent && (
          <PendingDialog onConfirm={() => void navigate("/", { replace: true })} />
        )}
      </Suspense>
    </Form>
  );
}

interface RegistrationSectionProps {
  title: string;
  remark: string;
  children: ReactNode;
}

/** A card of the form: its heading in a column of its own beside fields in two, above them on a phone. */
function RegistrationSection({ title, remark, children }: RegistrationSectionProps) {
  const id = useId();
  return (
    <Card
      className="grid grid-cols-[220px_minmax(0,1fr)] gap-x-36 gap-y-16 overflow-visible py-26 px-28
        phone:grid-cols-[minmax(0,1fr)] phone:py-18 phone:px-16"
      aria-labelledby={id}
    >
      <div>
        <h2 id={id} className="text-16">
          {title}
        </h2>
        <p className="text-ink-3 text-13 mt-2">{remark}</p>
      </div>
      <div className="grid gap-16 items-start grid-cols-2 below-560:grid-cols-1">{children}</div>
    </Card>
  );
}
