import { expect, it } from "vitest";
import {
  answered,
  type BasketLine,
  type Batch,
  newState,
  ordered,
  prepare,
  pulled,
  type SyncState,
  unsent,
  waiting,
} from "./basket-merge";
import { basketIn } from "./basket-state";
import { type Storage, textsIn } from "./stored-text";

/**
 * Two devices, a server and a bad network, by random schedules: no edit that was typed is lost, none counts twice, and
 * none comes again after another device's later one.
 */

const SCHEDULES = Number(process.env.SCHEDULES ?? 300);
const STEPS = 40;
const SKUS = ["A", "B", "C"] as const;

/** As apps/orders/services/baskets.py: the last that arrives wins, a number that has come before changes nothing. */
class Server {
  /** Killed, until it is started again: what it had said it had is there then. */
  isDown = false;
  revision = 0;
  lines = new Map<string, number>();
  devices = new Map<string, number>();
  /** What was set, by whom, in the order of arrival. */
  log: { who: number; sku: string; count: number }[] = [];

  post(who: number, { device, sequence, edits }: Batch, revision: number) {
    const wasAt = this.revision;
    if (sequence <= (this.devices.get(device) ?? 0)) return this.whole();
    for (const { sku, count } of edits) {
      if (count) this.lines.set(sku, count);
      else this.lines.delete(sku);
      this.log.push({ who, sku, count });
    }
    this.devices.set(device, sequence);
    this.revision += 1;
    return wasAt === revision ? { revision: this.revision, lines: null } : this.whole();
  }

  whole() {
    const lines = [...this.lines].map(([sku, count]) => ({ sku, count }));
    return { revision: this.revision, lines };
  }

  order(lines: readonly BasketLine[]) {
    for (const { sku, count } of lines) if (this.lines.get(sku) === count) this.lines.delete(sku);
    this.revision += 1;
  }
}

type Resend = (state: SyncState) => SyncState;

/** A browser: its storage, the page in it, and what waits for the next sign-in. */
class Device {
  readonly stored = new Map<string, string>();
  full = false;
  signedIn = true;
  kept: Batch[] = [];
  typed: { sku: string; count: number }[] = [];
  private devices = 0;
  private texts = this.open();
  private basket = basketIn(this.texts);

  constructor(
    readonly who: number,
    readonly server: Server,
    readonly random: (below: number) => number,
    readonly beforeSending: Resend,
  ) {}

  private open() {
    const storage: Storage = {
      getItem: (key) => this.stored.get(key) ?? null,
      setItem: (key, text) => {
        if (this.full) throw new Error("full");
        this.stored.set(key, text);
      },
      removeItem: (key) => void this.stored.delete(key),
      clear: () => this.stored.clear(),
    };
    return textsIn(() => storage);
  }

  /** The tab is gone, and opened again. A page whose storage is full asks not to be closed before it has sent all. */
  kill() {
    if (this.texts.isFull()) return;
    this.texts = this.open();
    this.basket = basketIn(this.texts);
  }

  state(): SyncState {
    const state = this.basket.state();
    if (state) return state;
    this.devices += 1;
    const device = `${this.who}-${this.devices}-${this.random(1e9)}`;
    this.basket.storeState(newState("buyer", device, this.basket.lines()));
    return this.basket.state() as SyncState;
  }

  edit(sku: string, count: number) {
    if (!this.signedIn) return;
    const before = this.state();
    if (count === 0 && !before.lines.some((line) => line.sku === sku)) return;
    const others = before.lines.filter((line) => line.sku !== sku);
    this.basket.storeLines(count ? [...others, { sku, count }] : others);
    this.typed.push({ sku, count });
  }

  /** One exchange; `network`: 0 it works, 1 the question is lost, 2 the answer is lost, 3 the tab dies on the way. */
  exchange(wanted: number, meanwhile: () => void = () => undefined) {
    const network = this.server.isDown ? 1 : wanted;
    if (!this.signedIn || !this.sendKept(network)) return;
    const ready = this.beforeSending(prepare(this.state()));
    this.basket.storeState(ready);
    if (network === 1) return;
    if (!ready.sent) {
      const answer = this.server.whole();
      meanwhile();
      if (network === 0) this.basket.storeState(pulled(this.state(), answer));
      return;
    }
    const answer = this.server.post(this.who, ready.sent, ready.revision);
    meanwhile();
    if (network === 0) this.basket.storeState(answered(this.state(), ready.sent, answer));
    if (network === 3) this.kill();
  }

  /** What waited for this sign-in goes first; whether there is nothing left of it. */
  private sendKept(network: number): boolean {
    if (this.kept.length === 0) return true;
    if (network === 1) return false;
    for (const batch of this.kept) this.server.post(this.who, batch, 0);
    if (network === 0) this.kept = [];
    return network === 0;
  }

  /** Sign-out or expiry: SKUs and pieces alone wait. */
  signOut() {
    if (!this.signedIn) return;
    const state = this.basket.state();
    if (state) this.kept.push(...waiting(state));
    this.texts.clear();
    this.signedIn = false;
  }

  order() {
    if (!this.signedIn || this.server.isDown) return;
    this.exchange(0);
    const { lines } = this.state();
    this.server.order(lines);
    this.basket.storeState(ordered(this.state()));
  }

  settle() {
    this.full = false;
    this.signedIn = true;
    for (let round = 0; round < 4; round += 1) this.exchange(0);
  }

  lines = () => this.basket.lines();
  pending = () => unsent(this.state());
}

/** Runs one schedule and says what went wrong, if anything did. */
function run(seed: number, beforeSending: Resend): string | undefined {
  const random = randomFrom(seed);
  const server = new Server();
  const devices = [0, 1].map((who) => new Device(who, server, random, beforeSending));
  const one = () => devices[random(2)] as Device;
  let pieces = 0;
  const edit = (device: Device) => {
    pieces += 1;
    device.edit(SKUS[random(3)] as string, random(4) === 0 ? 0 : pieces);
  };
  const steps = [
    () => edit(one()),
    () => edit(one()),
    () => edit(one()),
    () => one().exchange(0),
    () => one().exchange(random(4)),
    () => {
      const device = one();
      device.exchange(random(4), () => edit(random(2) ? device : one()));
    },
    () => one().kill(),
    () => one().signOut(),
    () => {
      one().signedIn = true;
    },
    () => {
      const device = one();
      device.full = !device.full;
    },
    () => random(4) === 0 && one().order(),
    () => {
      server.isDown = !server.isDown;
    },
  ];
  for (let step = 0; step < STEPS; step += 1) steps[random(steps.length)]?.();
  server.isDown = false;
  for (const device of [...devices, ...devices]) device.settle();
  return fault(server, devices);
}

function fault(server: Server, devices: readonly Device[]): string | undefined {
  const whole = JSON.stringify(server.whole().lines.sort((a, b) => (a.sku < b.sku ? -1 : 1)));
  for (const { who, typed, pending, lines } of devices) {
    if (pending().length > 0) return `device ${who} has unsent edits`;
    const shown = JSON.stringify([...lines()].sort((a, b) => (a.sku < b.sku ? -1 : 1)));
    if (shown !== whole) return `device ${who} shows ${shown}, the server has ${whole}`;
    for (const sku of SKUS) {
      const wanted = typed.filter((edit) => edit.sku === sku).map(({ count }) => count);
      const log = server.log.filter((entry) => entry.who === who && entry.sku === sku);
      const wrong = compare(wanted, log);
      if (wrong) return `device ${who}: ${sku} ${wrong}`;
    }
  }
  return undefined;
}

/** What arrived must be what was typed, in its order, each once, and the last of it too. */
function compare(typed: readonly number[], arrived: readonly { count: number }[]) {
  let from = 0;
  for (const { count } of arrived) {
    const at = typed.indexOf(count, from);
    if (at < 0) return `= ${count} came twice, or was never typed`;
    from = at + 1;
  }
  const last = typed.at(-1);
  return last && last !== arrived.at(-1)?.count ? `= ${last} is lost` : undefined;
}

const asItIs: Resend = (state) => state;

// SCHEDULES=100000 for a long run.
it(
  `loses no edit and repeats none in ${SCHEDULES} random schedules`,
  () => {
    for (let seed = 0; seed < SCHEDULES; seed += 1) {
      const found = run(seed, asItIs);
      if (found) expect.fail(`schedule ${seed}: ${found}`);
    }
  },
  60_000 + SCHEDULES * 100,
);

it("fails where what is sent again has a new number, or is forgotten", () => {
  const renumbered: Resend = (state) =>
    state.sent
      ? {
          ...state,
          sequence: state.sequence + 1,
          sent: { ...state.sent, sequence: state.sequence + 1 },
        }
      : state;
  const forgotten: Resend = (state) =>
    state.sent ? { ...state, base: state.lines, sent: null } : state;
  for (const broken of [renumbered, forgotten]) {
    const found = Array.from({ length: 200 }, (_, seed) => run(seed, broken));
    expect(found.filter(Boolean).length).toBeGreaterThan(0);
  }
});

it("keeps a line that is put back in its place, whatever order the server has", () => {
  const [one, two] = [
    { sku: "A", count: 10 },
    { sku: "B", count: 20 },
  ] as const;
  const begun = { ...newState("buyer", "device", [one, two]), base: [two], fresh: false };
  const sent = prepare(begun);
  const batch = sent.sent as Batch;
  expect(answered(sent, batch, { revision: 2, lines: [two, one] }).lines).toEqual([one, two]);
  expect(pulled(begun, { revision: 1, lines: [two] }).lines).toEqual([one, two]);
});

/** Numbers from 0 up to a bound, the same ones for the same seed. */
function randomFrom(seed: number) {
  let state = seed + 0x9e3779b9;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
