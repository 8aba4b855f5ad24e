import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ACCESS, LEGACY, openChains, writeLegacy, type KeptChains } from "./kept-chains";
import { dice, TAMPERINGS, TAMPERING_NAMES } from "./tamper";

const ENTRIES = 20;
let ledger: KeptChains;
beforeAll(async () => {
  ledger = await openChains();
  await writeLegacy(ledger, "acme", LEGACY);
  await ledger.write("acme", ENTRIES - LEGACY);
  await ledger.write(ACCESS, ENTRIES);
  await ledger.witness().turn({ always: true });
  await ledger.keep();
});
afterEach(() => ledger.back());
afterAll(() => ledger.close());

const TARGETS = [
  { chain: "acme", covered: ENTRIES, legacy: LEGACY },
  { chain: ACCESS, covered: ENTRIES, legacy: 0 },
] as const;
const everything = { budgetMs: 60_000 };

/** As a worker that was just started: the next checkpoint, and a check of everything. */
async function found(): Promise<number> {
  const witness = ledger.witness();
  const { broken } = await witness.turn({ always: true });
  const checked = await witness.check(everything.budgetMs);
  return broken + checked.broken;
}
/** What the chain says of itself, as it was all there was. */
const itself = (chain: string) =>
  ledger.rows("select broken_at from onceboard.verify_audit($1) where broken_at is not null", chain);

/** Seen by the chain alone; all others are not, which is what checkpoints are for. */
const SEEN_BY_THE_CHAIN = [
  "an entry edited and nothing else",
  "a chain taken back to the old rule",
  "the head moved forward",
];

describe.each(TARGETS)("AUDIT-3 the chain $chain, tampered with by the owner of the database", (target) => {
  it.each(TAMPERING_NAMES)("is reported: %s", async (name) => {
    await TAMPERINGS[name](ledger.run, target, dice(7));
    const alone = await itself(target.chain);
    if (!SEEN_BY_THE_CHAIN.includes(name)) expect(alone).toEqual([]);
    expect(await found()).toBeGreaterThan(0);
  });

  it.each(TAMPERING_NAMES)("is reported although the copies of the checkpoints went too: %s", async (name) => {
    await TAMPERINGS[name](ledger.run, target, dice(8));
    await ledger.run("truncate onceboard.audit_checkpoints, onceboard.audit_sinks, onceboard.audit_chain_checks");
    expect(await found()).toBeGreaterThan(0);
  });

  it("is never reported when nobody touched it, with entries behind the checkpoint and without", async () => {
    expect(await found()).toBe(0);
    await ledger.write(target.chain, 3);
    expect(await found()).toBe(0);
  });
});
