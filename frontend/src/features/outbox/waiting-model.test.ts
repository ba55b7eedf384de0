/**
 * Texts that two buyers type and send from two browsers with a bad network, by random schedules: nothing that was said to be
 * kept is lost, nothing arrives more often than it was sent, and nobody's text arrives as another's.
 */
import { expect, it, vi } from "vitest";
import { draftsIn } from "@/shared/drafts";
import type { Kept } from "@/shared/local-store";
import { outboxIn, type Waiting } from "@/shared/outbox";
import { randomFrom } from "@/test/random";
import { type Outcome, sendInOrder } from "./send-waiting";

const SCHEDULES = Number(process.env.SCHEDULES ?? 200);
const STEPS = 40;
const HOUR_MS = 3_600_000;
const BUYERS = ["mara", "ines"] as const;
const ORDERS = ["MHW-1", "MHW-2"] as const;
type Random = (below: number) => number;
/** What is done otherwise than it should be, by which the control fails. */
type Fault = "none" | "new keys" | "refused is dropped";

let now = 0;

/** As the calls that leave a message: a key that has come before changes nothing; a closed order takes none. */
class Server {
  isDown = false;
  closed = new Set<string>();
  arrived = new Map<string, { who: string; text: string }>();

  /** `network`: 0 it works, 1 the question is lost, 2 the answer is lost. */
  async take(who: string, waiting: Sendable, network: number): Promise<Outcome> {
    if (this.isDown || network === 1) return "later";
    const key = `${who} ${waiting.invoiceCode} ${waiting.id}`;
    const isNew = !this.arrived.has(key);
    if (isNew && this.closed.has(waiting.invoiceCode)) {
      return network === 2 ? "later" : { why: "It has shipped." };
    }
    if (isNew) this.arrived.set(key, { who, text: waiting.text });
    return network === 2 ? "later" : "done";
  }
}

type Sendable = Pick<Extract<Waiting, { text: string }>, "id" | "invoiceCode" | "text">;

/** IndexedDB that may be full, and that ends when the browser is stopped. */
class Store implements Kept {
  readonly values = new Map<string, string>();
  isFull = false;
  /** Accesses until the browser is stopped. */
  left = Number.POSITIVE_INFINITY;

  private touch(writes: boolean) {
    this.left -= 1;
    if (this.left < 0) throw new Error("stopped");
    if (writes && this.isFull) throw new Error("full");
  }
  async get<Value>(owner: string, name: string): Promise<Value | undefined> {
    this.touch(false);
    return JSON.parse(this.values.get(`${owner}:${name}`) ?? "null") ?? undefined;
  }
  async set(owner: string, name: string, value: unknown) {
    this.touch(true);
    this.values.set(`${owner}:${name}`, JSON.stringify(value));
  }
  async update<Value>(owner: string, name: string, by: (before: Value | undefined) => Value) {
    const before = await this.get<Value>(owner, name);
    const after = by(before);
    // What becomes shorter has room.
    this.touch(JSON.stringify(after).length > JSON.stringify(before ?? null).length);
    this.values.set(`${owner}:${name}`, JSON.stringify(after));
  }
  async remove(owner: string, name: string) {
    this.touch(false);
    this.values.delete(`${owner}:${name}`);
  }
  async removeWhere(isMeant: (name: string, value: unknown) => boolean) {
    for (const [key, text] of this.values) {
      if (isMeant(key.slice(key.indexOf(":") + 1), JSON.parse(text))) this.values.delete(key);
    }
  }
}

/** A browser with one form open, as MemoBoxes.tsx has it. */
class Browser {
  readonly store = new Store();
  private drafts = draftsIn(this.store);
  private outbox = outboxIn(this.store);
  private who: string | undefined;
  private order = "";
  private value = "";
  /** The key of the text that is being sent, until another is. */
  private key = { text: "", id: "" };
  isOnline = true;

  constructor(
    readonly server: Server,
    readonly random: Random,
    readonly fault: Fault,
    readonly words: Words,
  ) {}

  async open(who: string, order: string) {
    this.store.left = Number.POSITIVE_INFINITY;
    this.drafts = draftsIn(this.store);
    this.outbox = outboxIn(this.store);
    [this.who, this.order, this.key] = [who, order, { text: "", id: "" }];
    this.value = (await this.drafts.read<string>(who, `message:${order}`))?.value ?? "";
    this.drafts.subscribe((whose, form, text) => {
      if (whose === this.who && form === `message:${this.order}`) this.value = text;
    });
  }
  /** Sign-out, expiry, or a killed tab. */
  close() {
    this.who = undefined;
    this.value = "";
  }
  async type() {
    if (!this.who) return;
    const word = this.words.next(this.who);
    this.value = [this.value, word].filter(Boolean).join(" ");
    if (await this.drafts.keep(this.who, `message:${this.order}`, this.value)) {
      for (const kept of this.value.split(/\s/)) this.words.kept.add(kept);
    }
  }
  async send(network: number) {
    const { who, order, value } = this;
    if (!who || !value) return;
    if (this.key.text !== value) this.key = { text: value, id: String(this.random(1e9)) };
    const { id } = this.key;
    this.words.sent(value, id);
    if (this.isOnline) {
      const outcome = await this.server.take(who, { id, invoiceCode: order, text: value }, network);
      if (outcome !== "done") return;
    } else await this.outbox.add(who, { id, kind: "message", invoiceCode: order, text: value });
    await this.drafts.forget(who, `message:${order}`);
    this.value = "";
    this.key = { text: "", id: "" };
  }
  /** One round of what waits; `meanwhile` happens while the first call is on its way. */
  async round(network: () => number, meanwhile: () => Promise<void> = async () => undefined) {
    const { who } = this;
    if (!who || !this.isOnline) return;
    let first: (() => Promise<void>) | undefined = meanwhile;
    await sendInOrder({
      list: () => this.outbox.list(who),
      remove: (waiting) => this.outbox.remove(who, waiting),
      send: async (waiting) => {
        const id = this.fault === "new keys" ? String(this.random(1e9)) : waiting.id;
        const outcome = this.server.take(who, { ...(waiting as Sendable), id }, network());
        await first?.();
        first = undefined;
        return outcome;
      },
      giveBack: async (waiting) => {
        if (this.fault === "refused is dropped") return true;
        const { invoiceCode, text } = waiting as Sendable;
        return this.drafts.putBack(who, `message:${invoiceCode}`, text);
      },
    });
  }
  /** All that a buyer finds here again: in the open form, in drafts, and what waits. */
  texts = () => [this.value, ...this.store.values.values()].join(" ");
}

/** Every word that was typed, once each: who typed it, whether it was said to be kept, and under which keys it was sent. */
class Words {
  readonly owner = new Map<string, string>();
  readonly kept = new Set<string>();
  readonly keys = new Map<string, Set<string>>();

  next(who: string): string {
    const word = `w${this.owner.size}.`;
    this.owner.set(word, who);
    return word;
  }
  sent(text: string, key: string) {
    for (const word of text.split(/\s/)) {
      this.keys.set(word, (this.keys.get(word) ?? new Set()).add(key));
    }
  }
}

/** Runs one schedule and says what went wrong, if anything did. */
async function run(seed: number, fault: Fault): Promise<string | undefined> {
  const random = randomFrom(seed);
  now = 1_800_000_000_000;
  const server = new Server();
  const words = new Words();
  const browsers = [0, 1].map(() => new Browser(server, random, fault, words));
  const one = () => browsers[random(2)] as Browser;
  const network = () => random(3);
  const open = (browser: Browser) =>
    browser.open(BUYERS[random(2)] as string, ORDERS[random(2)] as string);
  const steps: (() => unknown)[] = [
    () => one().type(),
    () => one().type(),
    () => one().send(network()),
    () => one().send(0),
    () => one().round(() => 0),
    async () => {
      const browser = one();
      browser.isOnline = false;
      await browser.send(0);
      browser.isOnline = true;
      await browser.round(network);
    },
    () => {
      const browser = one();
      return browser.round(network, () => (random(2) ? browser : one()).type());
    },
    () => {
      const browser = one();
      browser.store.left = random(8);
    },
    () => open(one()),
    () => open(one()),
    () => one().close(),
    () => {
      const browser = one();
      browser.isOnline = !browser.isOnline;
    },
    () => {
      const browser = one();
      browser.store.isFull = !browser.store.isFull;
    },
    () => {
      server.isDown = !server.isDown;
    },
    () => random(6) === 0 && server.closed.add(ORDERS[random(2)] as string),
    () => {
      now += (random(3) - 1) * HOUR_MS;
    },
  ];
  for (const browser of browsers) await open(browser);
  for (let step = 0; step < STEPS; step += 1) {
    // A stopped browser is opened again; what it was doing is over.
    await Promise.resolve(steps[random(steps.length)]?.()).catch(() => undefined);
    for (const browser of browsers) if (browser.store.left < 0) await open(browser);
  }
  server.isDown = false;
  for (const browser of browsers) await settle(browser);
  return wrong(server, browsers, words);
}

async function settle(browser: Browser) {
  browser.isOnline = true;
  browser.store.isFull = false;
  for (const who of BUYERS) {
    await browser.open(who, ORDERS[0]);
    await browser.round(() => 0);
  }
}

function wrong({ arrived }: Server, browsers: readonly Browser[], words: Words) {
  const here = browsers.map((browser) => browser.texts()).join(" ");
  for (const [word, owner] of words.owner) {
    const there = [...arrived.values()].filter(({ text }) => text.split(/\s/).includes(word));
    if (there.some(({ who }) => who !== owner)) return `${word} arrived as another buyer's`;
    const times = words.keys.get(word)?.size ?? 0;
    if (there.length > times) return `${word} arrived ${there.length} times, was sent ${times}`;
    if (words.kept.has(word) && there.length === 0 && !here.includes(word)) {
      return `${word} is lost`;
    }
  }
  return undefined;
}

async function found(schedules: number, fault: Fault): Promise<string[]> {
  vi.spyOn(Date, "now").mockImplementation(() => now);
  const all: string[] = [];
  for (let seed = 0; seed < schedules; seed += 1) {
    const what = await run(seed, fault);
    if (what) all.push(`schedule ${seed}: ${what}`);
  }
  return all;
}

// SCHEDULES=100000 for a long run.
it(
  `loses no text and sends none twice in ${SCHEDULES} random schedules`,
  async () => expect((await found(SCHEDULES, "none")).slice(0, 3)).toEqual([]),
  60_000 + SCHEDULES * 100,
);

it.each(["new keys", "refused is dropped"] as const)("fails with the fault: %s", async (fault) => {
  expect(await found(200, fault)).not.toEqual([]);
});
