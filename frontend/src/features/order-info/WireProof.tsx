import { useQuery } from "@tanstack/react-query";
import { GivenFile } from "./GivenFile";
import { announcedWire } from "./given-files";

/** The proof of payment at the order's announced wire; nothing where none is announced. */
export function WireProof({ invoiceCode }: { invoiceCode: string }) {
  const { data: wire } = useQuery(announcedWire(invoiceCode));
  if (!wire) return null;
  const { proof } = wire;
  return (
    <GivenFile
      of="wire-proof"
      invoiceCode={invoiceCode}
      label="Attach a proof of payment"
      file={proof}
      note={proof?.seen_on ? `Seen by us on ${proof.seen_on}` : "Being checked"}
    />
  );
}
