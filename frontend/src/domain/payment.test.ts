import { expect, it } from "vitest";
import { vectors } from "@/test/vectors";
import { checkWire } from "./payment";

interface Row {
  source: string;
  depositor: string;
  export_declared: 0 | 1;
  refusal: string | null;
}

it.each(vectors<Row>("payments/check_wire"))(
  "$source",
  ({ depositor, export_declared, refusal }) => {
    expect(checkWire({ depositor, exportDeclared: export_declared === 1 }) ?? null).toBe(refusal);
  },
);
