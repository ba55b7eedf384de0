import { SystemScreen } from "@/features/password/SystemScreen";
import { WalletCard } from "@/features/wallet/WalletCard";

/** /Setting */
export default function SystemRoute() {
  return (
    <SystemScreen>
      <WalletCard />
    </SystemScreen>
  );
}
