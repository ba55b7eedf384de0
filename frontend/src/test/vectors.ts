import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** Rows of apps/{app}/tests/vectors/{rule}.json, which pin a rule on both sides: `vectors("catalog/check_quantity")`. */
export function vectors<Row>(name: string): Row[] {
  const [app = "", rule = ""] = name.split("/");
  const file = resolve(process.cwd(), "..", "apps", app, "tests", "vectors", `${rule}.json`);
  return JSON.parse(readFileSync(file, "utf8")) as Row[];
}
