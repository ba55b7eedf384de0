import type { ReactNode } from "react";
import styles from "./BankBlock.module.css";
import { Facts } from "./Facts";
import { RetryPanel } from "./Panels";
import { Loading, Skeleton } from "./Skeleton";

interface Bank {
  bank: string;
  holder: string;
  account_number: string;
  routing_number: string;
  address: string;
}

interface ConfigProps {
  /** The query of the configuration that a signed-in buyer gets. */
  config: {
    data: { bank?: Bank } | undefined;
    error: unknown;
    isError: boolean;
    isFetching: boolean;
    refetch: () => unknown;
  };
}

/** Draws what needs the seller's bank once it is known; until then that it loads, or how to try again. */
export function WithBank({
  config,
  loading,
  children,
}: ConfigProps & { loading: ReactNode; children: (bank: Bank) => ReactNode }) {
  const bank = config.data?.bank;
  if (config.isError) {
    return (
      <RetryPanel
        error={config.error}
        busy={config.isFetching}
        onRetry={() => void config.refetch()}
      />
    );
  }
  return bank ? children(bank) : loading;
}

/** The seller's bank, to which a wire goes. */
export function BankBlock({ config }: ConfigProps) {
  const loading = (
    <Loading className={styles.bank}>
      <Skeleton height={126} />
    </Loading>
  );
  return (
    <WithBank config={config} loading={loading}>
      {(bank) => (
        <Facts
          className={styles.bank}
          facts={[
            { label: "Bank", value: bank.bank },
            { label: "Holder", value: bank.holder },
            { label: "Account number", value: bank.account_number },
            { label: "Routing number", value: bank.routing_number },
            { label: "Address", value: bank.address },
          ]}
        />
      )}
    </WithBank>
  );
}
