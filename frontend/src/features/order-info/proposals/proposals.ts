import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { api, errorCode, type Schemas, unwrap } from "@/api/client";
import { orderKeys } from "@/shared/query-keys";

export type Proposals = Schemas["Proposals"];
export type Proposal = Schemas["Proposal"];
export type NewTotals = Omit<Schemas["NewTotals"], "success">;

/** What is chosen for a proposal and not sent yet. */
export interface Choice {
  readonly answer: "accept" | "decline" | "ask";
  readonly question: string;
}
/** By the proposal's number. */
export type Choices = Readonly<Record<number, Choice>>;

export const ANSWERS = { accept: "accepted", decline: "declined", ask: "question" } as const;

/** GET /order/proposals: what the seller proposes of an order's lines. */
export const proposalsOf = (invoiceCode: string) =>
  queryOptions({
    queryKey: [...orderKeys.details(invoiceCode), "proposals"],
    refetchOnWindowFocus: "always",
    queryFn: async ({ signal }) => {
      const params = { path: { invoice_code: invoiceCode } };
      return unwrap(await api.GET("/order/proposals/{invoice_code}", { params, signal }));
    },
  });

/** The choices for proposals that are still open, as they are sent. */
export function answersOf(proposals: readonly Proposal[], choices: Choices) {
  return proposals.flatMap(({ proposal_id, state }) => {
    const choice = choices[proposal_id];
    return state === "open" && choice ? [{ proposal_id, ...choice }] : [];
  });
}

export type Answers = ReturnType<typeof answersOf>;

/** The server's figures with what is chosen; those before stay until they are there. */
export function useNewTotals(invoiceCode: string, answers: Answers, shown: NewTotals): NewTotals {
  const body = {
    answers: answers.map(({ proposal_id, answer }) => ({ proposal_id, answer, question: "" })),
  };
  const totals = useQuery({
    queryKey: [...orderKeys.details(invoiceCode), "proposals", "totals", body],
    enabled: answers.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const params = { path: { invoice_code: invoiceCode } };
      const path = "/order/proposals/{invoice_code}/totals";
      return unwrap(await api.POST(path, { params, body, signal }));
    },
  });
  return (answers.length > 0 && totals.data) || shown;
}

/** POST /order/proposals: all answers at once. Where a colleague was faster, what stands now is fetched. */
export function useSendAnswers(invoiceCode: string) {
  const client = useQueryClient();
  const { queryKey } = proposalsOf(invoiceCode);
  return useMutation({
    mutationFn: async (answers: Answers) => {
      const params = { path: { invoice_code: invoiceCode } };
      return unwrap(
        await api.POST("/order/proposals/{invoice_code}", { params, body: { answers } }),
      );
    },
    onSuccess: (answer) => {
      client.setQueryData(queryKey, answer);
      void client.invalidateQueries({ queryKey: orderKeys.all });
    },
    onError: (error) => {
      const code = errorCode(error);
      if (code === "proposal_closed") void client.invalidateQueries({ queryKey });
      if (code === "wrong_status") void client.invalidateQueries({ queryKey: orderKeys.all });
    },
  });
}
