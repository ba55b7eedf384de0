export type WireProblem = "depositor_required" | "declaration_required";

/** What a bank wire lacks (specification section 5, Checkout); apps/payments pins both sides. */
export function checkWire(wire: {
  depositor: string;
  exportDeclared: boolean;
}): WireProblem | undefined {
  if (!wire.depositor.trim()) return "depositor_required";
  return wire.exportDeclared ? undefined : "declaration_required";
}
