import { MutationCache, QueryCache, QueryClient, type QueryKey } from "@tanstack/react-query";
import { errorCode, isPassing, isSessionEnd, isWireOnly } from "@/api/client";
import { connection } from "@/shared/online";
import * as texts from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";

/** What happens when a call fails (specification section 8): the general alert, or else a log entry only. */
interface FailureMeta extends Record<string, unknown> {
  onFailure?: "alert";
  /** Codes that the screen treats itself: these open no alert. */
  except?: readonly string[];
  /** A query whose failure no panel of the screen shows: it is always told by the alert. */
  hasNoPanel?: boolean;
}

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: FailureMeta & {
      /** Queries that are asked anew once it is done. */
      refreshes?: readonly QueryKey[];
    };
    queryMeta: FailureMeta;
  }
}

let told: Promise<void> | undefined;

function report(error: Error, meta: FailureMeta | undefined) {
  if (isSessionEnd(error)) return;
  console.error(error);
  const code = errorCode(error);
  if (meta?.onFailure !== "alert" || (code && meta.except?.includes(code))) return;
  // Calls that fail together are told once.
  if (told) return;
  const general = connection.isOnline() ? texts.somethingWentWrong : texts.offline;
  told = alert(isPassing(error) || isWireOnly(error) ? error.message : general).finally(() => {
    told = undefined;
  });
}

/** One cache of server state per visitor; refusals are final, only lost connections are tried again. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // What was seen stays while the tab lives: it is what is there without a connection.
        gcTime: 60 * 60_000,
        refetchOnWindowFocus: false,
        // Without a connection a load fails now, with a button that tries again; what is shown stays as it is.
        networkMode: "always",
        refetchOnMount: connection.isOnline,
        refetchOnReconnect: true,
        retry: (failures, error) =>
          errorCode(error) === undefined && failures < 1 && connection.isOnline(),
      },
      // Without a connection a button's call fails now: kept back, it would act long after the click.
      mutations: { retry: false, networkMode: "always" },
    },
    queryCache: new QueryCache({
      onError: (error, { meta }) => {
        // What may work in a moment is said in place, with a button that tries again.
        const inPlace = (isPassing(error) && !meta?.hasNoPanel) || !connection.isOnline();
        report(error, inPlace ? undefined : meta);
      },
    }),
    mutationCache: new MutationCache({
      onSuccess: (_answer, _variables, _result, { meta }, { client }) => {
        for (const queryKey of meta?.refreshes ?? []) void client.invalidateQueries({ queryKey });
      },
      onError: (error, _variables, _result, mutation) => report(error, mutation.meta),
    }),
  });
}
