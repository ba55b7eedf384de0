import type { ReactNode } from "react";
import type { components } from "@/api/schema.gen";
import { cx } from "@/shared/cx";
import { Facts } from "./Facts";
import { Loading, QueryFailed, type QueryState, Skeleton } from "./Panels";

const BLOCK = "py-16 px-18 rounded-3 bg-sunken";

type Bank = components["schemas"]["BankAccount"];

interface ConfigProps {
  /** The query of the configuration that a signed-in buyer gets. */
  config: QueryState<{ banks?: Bank[]; sales_email: string }>;
}

/** Draws each of the seller's accounts once they are known, with its title where there are several; until then that it
 * loads, or how to try again. */
export function EachBank({
  config,
  loading,
  children,
}: ConfigProps & { loading: ReactNode; children: (bank: Bank, title: string) => ReactNode }) {
  const { data } = config;
  if (config.isError) return <QueryFailed query={config} />;
  if (!data?.banks) return loading;
  if (data.banks.length === 0) {
    return (
      <p>
        Please ask <a href={`mailto:${data.sales_email}`}>{data.sales_email}</a> for our bank
        details.
      </p>
    );
  }
  const several = data.banks.length > 1;
  return data.banks.map((bank) => {
    const title = [bank.label, `(${bank.currency})`].filter(Boolean).join(" ");
    return children(bank, several ? title : "");
  });
}

/** The seller's accounts, to one of which a wire goes. */
export function BankBlock({ config }: ConfigProps) {
  const loading = (
    <Loading className={BLOCK}>
      <Skeleton height={126} />
    </Loading>
  );
  return (
    <EachBank config={config} loading={loading}>
      {(bank, title) => (
        <Facts
          key={bank.account_number}
          className={cx(BLOCK, "[&>div]:grid-cols-[116px_minmax(0,1fr)]!")}
          facts={[
            title && { label: "Account", value: title },
            { label: "Bank", value: bank.bank },
            { label: "Holder", value: bank.holder },
            { label: "Account number", value: bank.account_number },
            { label: "SWIFT or routing number", value: bank.routing_number },
            { label: "Address", value: bank.address },
          ]}
        />
      )}
    </EachBank>
  );
}
