import { lazy, type ReactNode, Suspense } from "react";
import { Navigate, useParams } from "react-router";
import { AccountScreen } from "@/features/account/AccountScreen";
import { AddressesPart } from "@/features/account/AddressesPart";
import { CodesPart } from "@/features/account/CodesPart";
import { ColleaguesPart } from "@/features/account/ColleaguesPart";
import { DocumentsPart } from "@/features/account/DocumentsPart";
import { Overview } from "@/features/account/Overview";
import { StatementPart } from "@/features/account/StatementPart";
import { WalletPart } from "@/features/account/WalletPart";
import { WishesPart } from "@/features/account/WishesPart";
import NotFound from "@/shared/ui/NotFound";
import { Skeleton } from "@/shared/ui/Panels";

const BasketsPart = lazy(() => import("@/features/product-order/baskets/BasketsPart"));
const OrderHeld = lazy(() => import("@/features/product-order/basket/OrderHeld"));

const PARTS: Record<string, ReactNode> = {
  overview: <Overview />,
  statement: <StatementPart />,
  documents: <DocumentsPart />,
  wallet: <WalletPart />,
  addresses: <AddressesPart />,
  colleagues: <ColleaguesPart />,
  baskets: <BasketsPart />,
  wishes: (
    <>
      <OrderHeld />
      <WishesPart />
    </>
  ),
  codes: <CodesPart />,
};

/** /account/{part}; without a part, the overview. */
export default function AccountRoute() {
  const { part } = useParams();
  if (part === undefined) return <Navigate to="/account/overview" replace />;
  const name = part.toLowerCase();
  if (!(name in PARTS)) return <NotFound />;
  return (
    <AccountScreen part={name}>
      <Suspense fallback={<Skeleton height={240} />}>{PARTS[name]}</Suspense>
    </AccountScreen>
  );
}
