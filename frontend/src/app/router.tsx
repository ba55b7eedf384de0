import { Suspense } from "react";
import { Navigate, Outlet, Route, Routes, useLocation } from "react-router";
import { useSession } from "@/api/session";
import { onPrefetch, rememberPage } from "@/shared/navigation";
import { Loading, RetryPanel } from "@/shared/ui/Panels";
import { Layout } from "./Layout";
import { ErrorBoundary, lazyRoute } from "./lazy-route";

const LoginRoute = lazyRoute(() => import("@/routes/LoginRoute"));
const DashboardRoute = lazyRoute(() => import("@/routes/DashboardRoute"));
const OrderRoute = lazyRoute(() => import("@/routes/OrderRoute"));
const CheckoutRoute = lazyRoute(() => import("@/routes/CheckoutRoute"));
const OrderInfoRoute = lazyRoute(() => import("@/routes/OrderInfoRoute"));
const NoticeRoute = lazyRoute(() => import("@/routes/NoticeRoute"));
const AccountRoute = lazyRoute(() => import("@/routes/AccountRoute"));
const SystemRoute = lazyRoute(() => import("@/routes/SystemRoute"));
const PolicyRoute = lazyRoute(() => import("@/routes/PolicyRoute"));
const RegisterRoute = lazyRoute(() => import("@/routes/RegisterRoute"));
const RegistrationRoute = lazyRoute(() => import("@/routes/RegistrationRoute"));
const InvitationRoute = lazyRoute(() => import("@/routes/InvitationRoute"));
const NotFoundRoute = lazyRoute(() => import("@/routes/NotFoundRoute"));

/** The screens by the beginning of their paths, in lower case; the first that fits counts. */
const SCREENS = Object.entries({
  "/dashboard": DashboardRoute,
  "/order/": CheckoutRoute,
  "/order": OrderRoute,
  "/invoice": OrderInfoRoute,
  "/notice": NoticeRoute,
  "/account": AccountRoute,
  "/setting": SystemRoute,
  "/policy": PolicyRoute,
  "/register": RegisterRoute,
  "/login": LoginRoute,
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
  return (
    <Routes>
      <Route element={<LazyPage />}>
        <Route path="/" element={<Home />} />
        <Route path="/login" element={<LoginRoute />} />
        <Route path="/register" element={<RegisterRoute />} />
        <Route path="/register/:token" element={<RegistrationRoute />} />
        <Route path="/invitation/:token" element={<InvitationRoute />} />
      </Route>
      <Route element={<PublicLayout />}>
        <Route element={<LazyPage />}>
          <Route path="/policy" element={<PolicyRoute />} />
        </Route>
      </Route>
      <Route element={<Layout />}>
        <Route element={<LazyPage />}>
          <Route element={<RequireSession />}>
            <Route path="/dashboard" element={<DashboardRoute />} />
            <Route path="/order" element={<OrderRoute />} />
            <Route path="/order/checkout-deposit/:invoice_code" element={<CheckoutRoute />} />
            <Route path="/checkout/success/:invoice_code/:is_deposit" element={<CheckoutRoute />} />
            <Route path="/checkout/failure/:invoice_code/:is_deposit" element={<CheckoutRoute />} />
            <Route path="/invoice/:status_id" element={<OrderInfoRoute />} />
            <Route path="/notice" element={<NoticeRoute />} />
            <Route path="/account/:part?" element={<AccountRoute />} />
            <Route path="/Setting" element={<SystemRoute />} />
          </Route>
          <Route path="*" element={<NotFoundRoute />} />
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

function Home() {
  const { session } = useSession();
  return <Navigate to={session.phase === "in" ? "/dashboard" : "/login"} replace />;
}

/** The frame of signed-in buyers; without one the page brings its own. */
function PublicLayout() {
  const { session } = useSession();
  return session.phase === "in" ? <Layout /> : <Outlet />;
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
