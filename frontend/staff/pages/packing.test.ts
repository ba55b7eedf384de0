import { fireEvent, screen, waitFor } from "@testing-library/dom";
import userEvent from "@testing-library/user-event";
import { delay, HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { server } from "@/test/server";
import type { Check } from "../packing/check";

const CHECK: Check = {
  rows: [
    { box: "1", name: "Night Emulsion", differs: false },
    { box: "", name: "Day Cream", differs: true },
  ],
  cells: {},
  totals: { boxes: "1 box", packed: "60", difference: "✓", measured: "7.8 kg" },
  compared: [
    { sku: "A-1", name: "Night Emulsion", confirmed: 20, packed: 20 },
    { sku: "B-2", name: "Day Cream", confirmed: 40, packed: 40 },
  ],
  missing: [],
  is_unusual: false,
  may_complete: true,
  told: "Every piece is packed.",
};
const NAMES = ["box", "count", "kg", "length", "width", "height", "sku", "pieces"];

/** What templates/staff/packing.html gives the script, as far as it is used. */
function page(rows: string) {
  const headings = Object.fromEntries(NAMES.map((name) => [name, [name]]));
  return `
    <div id="content"><div class="page-head"></div></div>
    <form id="packing" data-key="packing-1" data-unsaved="" data-check="/check/" data-headings='${JSON.stringify(headings)}'>
      <input type="hidden" name="csrfmiddlewaretoken" value="token"><input type="hidden" name="version" value="3">
      <button type="button" id="paste-open" hidden></button>
      <span data-total="boxes"></span><span data-total="packed"></span><span data-total="measured"></span>
      <button type="button" id="add-box" hidden></button><button type="button" id="add-content" hidden>Add content <span id="to-box"></span></button><button type="button" id="copy-sizes" hidden>Sizes of the box above</button>
      <p id="pasted" hidden></p>
      <div id="plain-rows"><textarea name="rows" id="id_rows">${rows}</textarea></div>
      <div id="grid-rows" hidden><table><tbody></tbody></table></div>
      <textarea name="remarks"></textarea><textarea name="notify"></textarea><input name="terms"><input name="build_date">
      <table id="compared-rows"><tbody></tbody></table>
      <div id="missing"><b data-total="missing"></b><span data-total="more"></span><button type="button" id="put-missing">Put it in</button></div>
      <div id="weight" hidden><a href="#boxes" id="weigh-again"></a><input type="checkbox" id="id_weight_is_right"></div>
      <button type="submit" id="save">Save</button><button type="submit" id="complete">Complete</button>
      <span id="why"></span><span id="told"></span>
    </form>
    <script type="application/json" id="packing-check">${JSON.stringify(CHECK)}</script>
    <dialog id="paste"><textarea id="paste-text"></textarea><button id="paste-replace"></button>
      <button id="paste-add"></button><button id="paste-cancel"></button></dialog>`;
}

const ROWS = "1\t1\t7.8\t52\t40\t34\tA-1\t20\n\t\t\t\t\t\tB-2\t40";
const why = () => document.getElementById("why")?.textContent;
const complete = () => screen.getByRole("button", { name: "Complete" });

async function start(rows = ROWS) {
  document.body.innerHTML = page(rows);
  vi.resetModules();
  await import("./packing");
}

function answer(told: Partial<Check>) {
  const sent: string[] = [];
  server.use(
    http.post("/check/", async ({ request }) => {
      sent.push(new URLSearchParams(await request.text()).get("rows") ?? "");
      return HttpResponse.json({ ...CHECK, ...told });
    }),
  );
  return sent;
}

beforeEach(() => {
  document.body.innerHTML = "";
});

describe("the packing sheet", () => {
  it("counts a piece less by a step, and puts what is missing into the last box", async () => {
    const compared = CHECK.compared.map((line) => ({ ...line, packed: line.confirmed - 10 }));
    const sent = answer({ compared: compared.slice(1) });
    await start();
    const put = document.querySelector<HTMLButtonElement>("#put-missing");
    expect(put?.hidden).toBe(true);
    await userEvent.click(screen.getAllByRole("button", { name: "One piece less" })[1] as Element);
    expect(screen.getByLabelText("Pieces, Day Cream")).toHaveValue("39");
    await waitFor(() => expect(put?.hidden).toBe(false));
    await userEvent.click(put as Element);
    expect(screen.getByLabelText("Pieces, Day Cream")).toHaveValue("49");
    await waitFor(() => expect(sent.at(-1)).toContain("B-2\t49"));
  });

  it("opens one box on a phone: the last, or the one pressed, where contents are added", async () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    const sent = answer({
      rows: [
        { box: "1", name: "Night Emulsion", differs: false },
        { box: "2", name: "Day Cream", differs: true },
      ],
    });
    await start(`${ROWS.split("\n")[0]}\n2\t1\t\t\t\t\tB-2\t40`);
    const box = (name: RegExp) => screen.getByRole("button", { name });
    expect(box(/1 product, 7.8 kg · 52 × 40 × 34$/)).toHaveAttribute("aria-expanded", "false");
    expect(box(/1 product, not weighed · to check/)).toHaveAttribute("aria-expanded", "true");
    expect(document.activeElement).toBe(document.body); // no keyboard over what is missing
    await userEvent.click(box(/7.8 kg/));
    expect(box(/not weighed/)).toHaveAttribute("aria-expanded", "false");
    await userEvent.click(box(/Add content to No. 1/));
    expect([...document.querySelectorAll("#grid-rows tr")].map((row) => row.className)).toEqual([
      "begins",
      "",
      expect.stringContaining("shut"),
    ]);
    expect(screen.getByLabelText("SKU, box 1, row 2")).toHaveFocus();
    await userEvent.click(box(/not weighed/));
    await userEvent.click(box(/Sizes of the box above/));
    await waitFor(() => expect(sent.at(-1)).toMatch(/2\t1\t\t52\t40\t34\tB-2\t40$/));
    expect(await screen.findByText(/52 × 40 × 34 · to check/)).toHaveAttribute(
      "aria-expanded",
      "true",
    );
    vi.unstubAllGlobals();
  });

  it("shows the rows with what the server said of them", async () => {
    await start();
    expect(screen.getByLabelText("kg each, box 1")).toHaveValue("7.8");
    expect(screen.getByLabelText("Pieces, Day Cream")).toHaveValue("40");
    expect(screen.getByText("No. 1")).toBeInTheDocument();
    expect(why()).toBe("Every piece is packed.");
    expect(complete()).toBeEnabled();
    expect(document.getElementById("plain-rows")).not.toBeVisible();
  });

  it("sends what is typed and shows the server's sentences", async () => {
    const sent = answer({
      compared_rows: "<tr><th>A-1</th><td>20</td></tr>",
      cells: { "0-kg": "“heavy” is not a number." },
      missing: ["1 cell cannot be read.", "Box 1 has no weight."],
      may_complete: false,
      told: "1 cell cannot be read.",
    });
    await start();
    const kg = screen.getByLabelText("kg each, box 1");
    await userEvent.clear(kg);
    await userEvent.type(kg, "heavy");
    await waitFor(() => expect(why()).toBe("1 cell cannot be read."));
    await waitFor(() => expect(sent.at(-1)).toBe(ROWS.replace("7.8", "heavy")));
    expect(kg).toHaveAttribute("aria-invalid", "true");
    expect(document.querySelector("#compared-rows")).toHaveTextContent("A-120");
    expect(screen.getByText("kg each: “heavy” is not a number.")).toBeInTheDocument();
    expect(screen.getByText("And 1 more.")).toBeInTheDocument();
    expect(complete()).toHaveAttribute("aria-disabled", "true");
  });

  it("marks an empty cell once its row is left", async () => {
    answer({ cells: { "1-pieces": "How many pieces?" }, told: "1 cell cannot be read." });
    await start();
    const pieces = screen.getByLabelText("Pieces, Day Cream");
    await userEvent.clear(pieces);
    await waitFor(() => expect(why()).toBe("1 cell cannot be read."));
    expect(pieces).not.toHaveAttribute("aria-invalid");
    screen.getByLabelText("kg each, box 1").focus();
    expect(pieces).toHaveAttribute("aria-invalid", "true");
  });

  it("keeps what was typed and says so when the server fails", async () => {
    server.use(http.post("/check/", () => HttpResponse.error()));
    await start();
    await userEvent.type(screen.getByLabelText("Pieces, Day Cream"), "41");
    await waitFor(() => expect(why()).toMatch(/does not answer.*kept in this tab/));
    expect(complete()).toHaveAttribute("aria-disabled", "true");
    expect(screen.getByLabelText("Pieces, Day Cream")).toHaveValue("41");
    const { fields } = JSON.parse(sessionStorage.getItem("packing-1") ?? "");
    expect(Object.fromEntries(fields).rows).toContain("B-2\t41");
  });

  it("says that the sign-in is over", async () => {
    server.use(http.post("/check/", () => new HttpResponse("Sign in again", { status: 403 })));
    await start();
    await userEvent.type(screen.getByLabelText("Pieces, Day Cream"), "41");
    await waitFor(() => expect(why()).toMatch(/sign-in is over.*open the page again/));
  });

  it("completes what was pressed before the server had answered, once nothing is missing", async () => {
    answer({ may_complete: false, missing: ["Box 1 has no weight."] });
    await start();
    const went: string[] = [];
    document.addEventListener("submit", (event) => {
      if (!event.defaultPrevented) went.push((event.submitter as Element).id);
      event.preventDefault(); // the page of a test cannot be left
    });
    const kg = screen.getByLabelText("kg each, box 1");
    await userEvent.clear(kg);
    await waitFor(() => expect(complete()).toHaveAttribute("aria-disabled", "true"));
    await userEvent.click(complete());
    expect(went).toEqual([]);
    answer({});
    fireEvent.input(kg, { target: { value: "7.8" } });
    await userEvent.click(complete());
    await waitFor(() => expect(went).toEqual(["complete"]));
  });

  it("does not show an answer to what has been typed over meanwhile", async () => {
    let answers = 0;
    server.use(
      http.post("/check/", async () => {
        answers += 1;
        if (answers === 1) await delay(600);
        return HttpResponse.json({ ...CHECK, told: `Answer ${answers > 1 ? "new" : "old"}` });
      }),
    );
    await start();
    const pieces = screen.getByLabelText("Pieces, Day Cream");
    await userEvent.type(pieces, "1");
    await waitFor(() => expect(answers).toBe(1));
    await userEvent.type(pieces, "2");
    await waitFor(() => expect(why()).toBe("Answer new"));
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(why()).toBe("Answer new");
  });

  it("begins a box with B, gives it the sizes above with D, and takes it back with B", async () => {
    answer({});
    await start();
    const boxes = () => document.querySelectorAll("tr.begins");
    await userEvent.type(screen.getByLabelText("Pieces, Day Cream"), "b");
    expect(boxes()).toHaveLength(2);
    await userEvent.keyboard("d");
    expect(
      [...document.querySelectorAll<HTMLInputElement>("input.length")].map((field) => field.value),
    ).toEqual(["52", "52"]);
    await userEvent.clear(
      document.querySelectorAll<HTMLInputElement>("input.length")[1] as HTMLInputElement,
    );
    for (const name of ["width", "height"]) {
      await userEvent.clear(
        document.querySelectorAll<HTMLInputElement>(`input.${name}`)[1] as HTMLInputElement,
      );
    }
    await userEvent.keyboard("b");
    expect(boxes()).toHaveLength(1);
  });

  it("pastes rows from the cursor on, and takes them back", async () => {
    const sent = answer({});
    await start();
    const text = "2\t5\t52\t40\t34\tA-1\t7\n2\t5\t50\t40\t34\tB-2\t8";
    fireEvent.paste(screen.getByLabelText("Count, box 1"), {
      clipboardData: { getData: () => text },
    });
    expect(screen.getByText(/2 rows pasted\./)).toBeInTheDocument();
    await waitFor(() =>
      expect(sent.at(-1)).toBe("1\t2\t5\t52\t40\t34\tA-1\t7\n2\t2\t5\t50\t40\t34\tB-2\t8"),
    );
    await userEvent.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(sent.at(-1)).toBe(ROWS));
  });

  it("brings back what was not saved, against the version it was typed over", async () => {
    const sent = answer({});
    const kept = {
      at: new Date(2026, 10, 20, 10, 42).getTime(),
      confirmed: { "A-1": 20, "B-2": 30 },
      sent: false,
      fields: [
        ["version", "2"],
        ["rows", "1\t1\t9\t\t\t\tA-1\t5"],
        ["remarks", "Upright"],
      ],
    };
    sessionStorage.setItem("packing-1", JSON.stringify(kept));
    await start();
    const bar = screen.getByRole("status", { name: "Restored" });
    expect(bar).toHaveTextContent("Restored what you typed at 10:42.");
    expect(bar).toHaveTextContent("The sheet: saved by somebody, version 2 → 3");
    expect(bar).toHaveTextContent("Day Cream: confirmed 30 → 40");
    expect(bar).not.toHaveTextContent("Night Emulsion");
    expect(document.querySelector<HTMLInputElement>("[name=version]")).toHaveValue("2");
    expect(document.querySelector("[name=remarks]")).toHaveValue("Upright");
    await waitFor(() => expect(sent).toEqual(["1\t1\t9\t\t\t\tA-1\t5"]));
  });
});
