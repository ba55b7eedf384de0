import { Suspense } from "react";
import { Navigate, Outlet, Route, Routes, useLocation } from "react-router";
import { useSession } from "@/api/session";
import { onPrefetch, rememberPage } from "@/shared/navigation";
import { Loading, RetryPanel } from "@/shared/ui/Panels";
import { Layout } from "./Layout";
import { ErrorBoundary, lazyRoute } from "./lazy-route";

const LoginScreen = lazyRoute(() => import("@/features/session/LoginScreen"));
const DashboardScreen = lazyRoute(() => import("@/features/dashboard/DashboardScreen"));
const ProductOrderScreen = lazyRoute(() => import("@/features/product-order/ProductOrderScreen"));
const CheckoutRoute = lazyRoute(() => import("@/routes/CheckoutRoute"));
const OrderInfoScreen = lazyRoute(() => import("@/features/order-info/OrderInfoScreen"));
const NoticeScreen = lazyRoute(() => import("@/features/notices/NoticeScreen"));
const AccountRoute = lazyRoute(() => import("@/routes/AccountRoute"));
const SystemScreen = lazyRoute(() => import("@/features/password/SystemScreen"));
const PolicyScreen = lazyRoute(() => import("@/features/policy/PolicyScreen"));
const RegisterEmailScreen = lazyRoute(() => import("@/features/registration/RegisterEmailScreen"));
const RegistrationScreen = lazyRoute(() => import("@/features/registration/RegistrationScreen"));
const InvitationScreen = lazyRoute(() => import("@/features/registration/InvitationScreen"));
const NotFound = lazyRoute(() => import("@/shared/ui/NotFound"));

/** The screens by the beginning of their paths, in lower case; the first that fits counts. */
const SCREENS = Object.entries({
  "/dashboard": DashboardScreen,
  "/order/": CheckoutRoute,
  "/order": ProductOrderScreen,
  "/invoice": OrderInfoScreen,
  "/notice": NoticeScreen,
  "/account": AccountRoute,
  "/setting": SystemScreen,
  "/policy": PolicyScreen,
  "/register": RegisterEmailScreen,
  "/login": LoginScreen,
});

onPrefetch((path) => {
  const lower = path.toLowerCase();
  SCREENS.find(([beginning]) => lower.startsWith(beginning))?.[1].fetchAhead();
});

/** Nothing but a neutral splash until it is known who the visitor is. */
export function App() {
  const { session, retry } = useSession();
  if (session.phase === "checking") return <Loading />;
  if (session.phase === "unreachable") return <RetryPanel onRetry={retry} />;
  return <AppRoutes />;
}

/** The route table of the specification. Paths match without regard to case. */
function AppRoutes() {
  const isIn = useSession().session.phase === "in";
  const toDashboard = <Navigate to="/dashboard" replace />;
  return (
    <Routes>
      <Route element={<LazyPage />}>
        <Route path="/" element={isIn ? toDashboard : <Navigate to="/login" replace />} />
        <Route path="/login" element={<LoginScreen />} />
        <Route element={isIn ? toDashboard : <Outlet />}>
          <Route path="/register" element={<RegisterEmailScreen />} />
          <Route path="/register/:token" element={<RegistrationScreen />} />
        </Route>
        <Route path="/invitation/:token" element={<InvitationScreen />} />
      </Route>
      {/* Without the frame of signed-in buyers the page brings its own. */}
      <Route element={isIn ? <Layout /> : <Outlet />}>
        <Route element={<LazyPage />}>
          <Route path="/policy" element={<PolicyScreen />} />
        </Route>
      </Route>
      <Route element={<Layout />}>
        <Route element={<LazyPage />}>
          <Route element={<RequireSession />}>
            <Route path="/dashboard" element={<DashboardScreen />} />
            <Route path="/order" element={<ProductOrderScreen />} />
            <Route path="/order/checkout-deposit/:invoice_code" element={<CheckoutRoute />} />
            <Route path="/checkout/success/:invoice_code/:is_deposit" element={<CheckoutRoute />} />
            <Route path="/checkout/failure/:invoice_code/:is_deposit" element={<CheckoutRoute />} />
            <Route path="/invoice/:status_id" element={<OrderInfoScreen />} />
            <Route path="/notice" element={<NoticeScreen />} />
            <Route path="/account/:part?" element={<AccountRoute />} />
            <Route path="/Setting" element={<SystemScreen />} />
          </Route>
          <Route path="*" element={<NotFound />} />
        </Route>
      </Route>
    </Routes>
  );
}

/** Lets signed-in buyers through; sends everybody else to the sign-in and remembers the page. */
function RequireSession() {
  const { session } = useSession();
  const location = useLocation();
  if (session.phase === "in") return <Outlet />;
  const forget = session.phase === "out" && session.forgetPage;
  return <Navigate to="/login" replace state={forget ? null : rememberPage(location)} />;
}

function LazyPage() {
  const { pathname } = useLocation();
  return (
    <ErrorBoundary key={pathname}>
      <Suspense fallback={<Loading />}>
        <Outlet />
      </Suspense>
    </ErrorBoundary>
  );
}
