import { useQuery } from "@tanstack/react-query";
import { Check, ChevronLeft } from "lucide-react";
import { useState } from "react";
import { useUser } from "@/api/session";
import { useDraft } from "@/shared/drafts";
import { Button } from "@/shared/ui/Button";
import { Link } from "@/shared/ui/Link";
import { PageHeading } from "@/shared/ui/Page";
import { Card, Loaded } from "@/shared/ui/Panels";
import { NewTotal, SendBar } from "./NewTotal";
import { ProposalRow } from "./ProposalRow";
import styles from "./Proposals.module.css";
import type { Proposals as Answer, Choice, Choices } from "./proposals";
import { answersOf, proposalsOf, useNewTotals } from "./proposals";
import { SendDialog } from "./SendDialog";

const NOTHING: Choices = {};

/** What the seller proposes of an order's lines: accept, decline or ask, the new total in sight. */
export default function ProposalsScreen(props: { invoiceCode: string; back: string }) {
  const { invoiceCode, back } = props;
  const query = useQuery(proposalsOf(invoiceCode));
  return (
    <div className="relative max-w-1240 mx-auto phone:pb-76">
      <Link to={back} className="inline-flex items-center gap-4 font-medium min-h-32">
        <ChevronLeft />
        {invoiceCode}
      </Link>
      {!query.data && <PageHeading title="Proposals" />}
      <Loaded query={query} height={480} className="">
        {(answer) => <ProposalList key={invoiceCode} invoiceCode={invoiceCode} answer={answer} />}
      </Loaded>
    </div>
  );
}

function ProposalList({ invoiceCode, answer }: { invoiceCode: string; answer: Answer }) {
  const { uuid } = useUser();
  const form = `proposals:${invoiceCode}`;
  const draft = useDraft<Choices>({ owner: uuid, form, initial: NOTHING });
  const [sending, setSending] = useState(false);
  const { proposals } = answer;
  const answers = answersOf(proposals, draft.value);
  const closed = proposals.filter(
    ({ state, proposal_id }) => state !== "open" && draft.value[proposal_id],
  );
  // Neither in all nor for a piece: fewer pieces that are dearer are looked at.
  const free = proposals.filter(
    ({ state, proposal_id, difference, ordered, proposed }) =>
      state === "open" &&
      !draft.value[proposal_id] &&
      difference <= 0 &&
      proposed.price <= ordered.price,
  );
  const choose = (id: number, choice: Choice) =>
    draft.update((before) => ({ ...before, [id]: choice }));
  const acceptFree = () =>
    draft.update((before) => ({
      ...before,
      ...Object.fromEntries(
        free.map(({ proposal_id }) => [proposal_id, { answer: "accept", question: "" }]),
      ),
    }));
  const totals = useNewTotals(invoiceCode, answers, answer);
  const shown = { proposals: answer, answers, totals };
  const send = () => setSending(true);
  return (
    <>
      <PageHeading
        title="Proposals"
        subline={<Subline invoiceCode={invoiceCode} answer={answer} />}
      />
      {answer.open > 0 && (
        <Button
          className={styles.all}
          icon={<Check />}
          disabled={free.length === 0}
          onClick={acceptFree}
        >
          Accept all that cost no more ({free.length})
        </Button>
      )}
      <div
        className="grid gap-cards items-start grid-cols-[minmax(0,1fr)_348px] mt-12
          phone:grid-cols-1"
      >
        <Card aria-label="The seller’s proposals">
          {proposals.length === 0 && (
            <p className="px-card py-14 text-ink-2">There are no proposals.</p>
          )}
          <ul className="divided">
            {proposals.map((proposal) => (
              <ProposalRow
                key={proposal.proposal_id}
                proposal={proposal}
                choice={draft.value[proposal.proposal_id]}
                onChoose={(choice) => choose(proposal.proposal_id, choice)}
              />
            ))}
          </ul>
        </Card>
        <NewTotal {...shown} onSend={send} />
      </div>
      {answer.open > 0 && <SendBar {...shown} onSend={send} />}
      <SendDialog
        {...shown}
        invoiceCode={invoiceCode}
        closed={closed.map((proposal) => proposal.closed)}
        open={sending}
        onClose={() => setSending(false)}
        onSent={() => {
          draft.clear();
          setSending(false);
        }}
      />
    </>
  );
}

function Subline({ invoiceCode, answer }: { invoiceCode: string; answer: Answer }) {
  return (
    <>
      Order <span className="tabular-nums">{invoiceCode}</span> · {answer.proposals.length} of{" "}
      {answer.order_count} lines
      {answer.open > 0 ? (
        <>
          {" "}
          · answer by <b className="text-warn">{answer.deadline}</b>
        </>
      ) : (
        " · all are decided"
      )}
    </>
  );
}
