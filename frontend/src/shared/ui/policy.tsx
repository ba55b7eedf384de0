import type { ReactNode } from "react";
import { config } from "@/shared/config";

/** A heading of the policy with the text below it; `id` is its anchor on the policy page. */
interface PolicySection {
  readonly id: string;
  readonly title: string;
  readonly text: ReactNode;
}

/** One of the two parts, with its sections. */
export interface PolicyPart extends PolicySection {
  readonly sections: readonly PolicySection[];
}

export const POLICY_TITLE = "Privacy policy and terms of use";
export const POLICY_EFFECTIVE = "Privacy policy effective 17 May 2022";

/** The privacy policy and the terms of use (specification section 1), in the order in which they are read. */
export const POLICY: readonly PolicyPart[] = [
  {
    id: "privacy",
    title: "Privacy policy",
    text: (
      <p>
        This policy is effective from 17 May 2022. It says which data <Platform /> keeps about the
        companies that order here and about the people who act for them, and what the data are used
        for.
      </p>
    ),
    sections: [
      {
        id: "data",
        title: "What we keep",
        text: (
          <>
            <p>
              From your registration we keep your company, the name of your manager, your e-mail
              address, phone numbers, the company’s address and the shipping address, your business
              type and sales channel, and the certificate if you sent one. Your password is kept
              only in a form from which it cannot be read back.
            </p>
            <p>
              As you use the platform we also keep your orders with their documents, your payments
              and refunds, the messages that you send us, the notices that you opened, and a record
              of sign-ins and of important changes. Technical logs hold the network address that a
              request came from.
            </p>
          </>
        ),
      },
      {
        id: "use",
        title: "What we use it for",
        text: (
          <p>
            We use these data to decide on your registration, to prepare, ship and invoice your
            orders, to book your payments and refunds, to answer your messages, to tell you by
            e-mail what happens to your orders and to your account, and to keep the platform secure.
          </p>
        ),
      },
      {
        id: "sharing",
        title: "Who receives it",
        text: (
          <p>
            Our own staff see what their work needs. The carrier and the customs authorities receive
            what a shipment needs: names, address, phone number and the contents of the package. If
            you pay by PayPal, PayPal receives the amount and the invoice number, and its own
            privacy policy applies to what you enter there. Orders of your company are visible to
            everybody who signs in for your company.
          </p>
        ),
      },
      {
        id: "browser",
        title: "What your browser keeps",
        text: (
          <p>
            While you are signed in, your browser’s storage holds the proof of your sign-in and your
            basket; signing out empties it. What you type into the registration form, except the
            passwords, stays in that browser tab until you send the form or close the tab. The
            buyers’ pages set no cookies and load nothing from advertising or analytics services.
          </p>
        ),
      },
      {
        id: "rights",
        title: "Your data, your choice",
        text: (
          <p>
            To see, correct or delete data about you, write to <Mailbox />. Records of orders and
            payments may have to be kept for as long as the law requires.
          </p>
        ),
      },
    ],
  },
  {
    id: "terms",
    title: "Terms of use",
    text: (
      <p>
        These terms apply to everything that you order on <Platform />. The platform is for business
        buyers: an administrator approves each registration, which takes 2 to 3 days.
      </p>
    ),
    sections: [
      {
        id: "returns",
        title: "Returns and claims",
        text: (
          <p>
            We accept returns within 7 days of receipt if the goods are damaged or are not the goods
            that you ordered. Claims must be made within 6 months of purchase. Please write to{" "}
            <Mailbox /> and name the invoice number.
          </p>
        ),
      },
      {
        id: "cancellation",
        title: "Cancellation and refunds",
        text: (
          <p>
            An order can be cancelled only if it has not shipped. The balance is refunded except a
            deposit of 100 USD; the fee of a PayPal payment is not part of the refund. The refund is
            credited to your wallet within 5 to 15 business days.
          </p>
        ),
      },
      {
        id: "shipping",
        title: "Shipping",
        text: <p>If your order cannot ship within 2 business days, we notify you.</p>,
      },
      {
        id: "customs",
        title: "Customs duties and declared values",
        text: (
          <>
            <p>The buyer bears the customs duties.</p>
            <p>
              Orders to European countries ship at actual product value. Our sales team tells you
              whether that holds for your country: <Mailbox />.
            </p>
            <p>
              All express packages to Chile are declared at 28 USD, and all standard packages to
              Chile at 5 USD.
            </p>
          </>
        ),
      },
      {
        id: "law",
        title: "Governing law",
        text: <p>These terms are governed by Korean law.</p>,
      },
    ],
  },
];

function Platform() {
  return config().title;
}

function Mailbox() {
  const { sales_email } = config();
  return <a href={`mailto:${sales_email}`}>{sales_email}</a>;
}
