import "@/shared/styles/fonts.css";
import "@/shared/styles/tokens.css";
import "@/shared/styles/base.css";
import "@/shared/styles/tailwind.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { LucideProvider } from "lucide-react";
import { lazy, StrictMode, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { leaveSyllablesAlone } from "@/shared/composing";
import { AlertHost } from "@/shared/ui/AlertHost";
import { createQueryClient } from "./query-client";
import { App } from "./router";
import { SessionProvider } from "./SessionProvider";

// Nothing is told before the first page stands.
const ToastHost = lazy(() => import("@/shared/ui/ToastHost"));

leaveSyllablesAlone();
const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root");

createRoot(root).render(
  <StrictMode>
    <LucideProvider size={16} strokeWidth={1.8}>
      <QueryClientProvider client={createQueryClient()}>
        <BrowserRouter>
          <SessionProvider>
            <App />
          </SessionProvider>
          <AlertHost />
          <Suspense>
            <ToastHost />
          </Suspense>
        </BrowserRouter>
      </QueryClientProvider>
    </LucideProvider>
  </StrictMode>,
);
