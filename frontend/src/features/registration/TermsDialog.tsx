import { useQuery } from "@tanstack/react-query";
import { POLICY_TITLE, policy } from "@/api/seller";
import { Button } from "@/shared/ui/Button";
import { Dialog, type DialogState } from "@/shared/ui/Dialog";
import { Loaded } from "@/shared/ui/Panels";
import { PolicyText } from "@/shared/ui/RichText";

interface TermsDialogProps extends DialogState {
  /** With the number of the version that was shown. */
  onConfirm: (version: number) => void;
}

/** The terms modal; 'Confirm' accepts them, once they are there to be read. */
export default function TermsDialog({ onConfirm, ...dialog }: TermsDialogProps) {
  const query = useQuery(policy);
  const { data, isPending } = query;
  return (
    <Dialog
      {...dialog}
      title={POLICY_TITLE}
      width={660}
      footer={
        <Button
          variant="primary"
          busy={isPending}
          disabled={!data}
          onClick={() => data && onConfirm(data.number)}
        >
          Confirm
        </Button>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys. */}
      <section aria-label={POLICY_TITLE} tabIndex={0} aria-busy={isPending}>
        <Loaded query={query} height={320} className="">
          {({ html }) => <PolicyText html={html} compact />}
        </Loaded>
      </section>
    </Dialog>
  );
}
