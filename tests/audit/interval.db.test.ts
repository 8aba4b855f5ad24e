import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ACCESS, openChains, type KeptChains } from "./kept-chains";
import { dice, TAMPERINGS, type Run, type TamperingName, type Target } from "./tamper";

const [COVERED, SINCE] = [10, 6];
let ledger: KeptChains;
beforeAll(async () => {
  ledger = await openChains();
  for (const chain of ["acme", ACCESS]) await ledger.write(chain, COVERED);
  await ledger.witness().turn({ always: true });
  for (const chain of ["acme", ACCESS]) await ledger.write(chain, SINCE);
  await ledger.keep();
});
afterEach(() => ledger.back());
afterAll(() => ledger.close());

/** Nothing that the checkpoint covers is touched. */
const TARGET: Target = { chain: "acme", covered: COVERED + SINCE, legacy: COVERED };
async function found(): Promise<boolean> {
  const witness = ledger.witness();
  const { broken } = await witness.turn({ always: true });
  return broken + (await witness.check(60_000)).broken > 0;
}
const SIGNED: readonly TamperingName[] = [
  "an entry inserted",
  "append_audit() by hand",
  "an entry's id changed",
  "signatures taken off",
  "a chain taken back to the old rule",
];

describe("AUDIT-3 what was written since the last checkpoint", () => {
  it.each(SIGNED)("has signatures of its own: %s is found", async (name) => {
    await TAMPERINGS[name](ledger.run, TARGET, dice(4));
    expect(await found()).toBe(true);
  });

  it("has signatures of its own: what an entry says cannot be changed", async () => {
    await ledger.run("update onceboard.audit_entries set reason = 'forged' where tenant_id = 'acme' and sequence = 13");
    await rebuild(ledger.run);
    expect(await found()).toBe(true);
  });

  it("can be cut, put in another order or given another time unseen: this is what one interval can lose", async () => {
    const cut: Run = (text, ...values) => ledger.run(text, ...values);
    await cut("delete from onceboard.audit_entries where tenant_id = 'acme' and sequence > $1", COVERED + 2);
    await rebuild(ledger.run);
    expect(await found()).toBe(false);
    await ledger.back();
    await TAMPERINGS["entries reordered"](ledger.run, TARGET, dice(4));
    expect(await found()).toBe(false);
    await ledger.back();
    await ledger.run(
      "update onceboard.audit_entries set at = at - interval '1 day' where tenant_id = 'acme' and sequence = 13",
    );
    await rebuild(ledger.run);
    expect(await found()).toBe(false);
  });

  it("is refused by name when it claims to be of a service, unless it is what services write: that is not found", async () => {
    const by = (action: string): Promise<unknown> =>
      ledger.run(
        `select onceboard.append_audit('acme', gen_random_uuid(), 'service', 'svc', 'svc', $1, 'operation', 'x', null, null, '{}', null, null)`,
        action,
      );
    await by("clients.manage");
    expect(await found()).toBe(true);
    await ledger.back();
    await by("operations.resolve");
    expect(await found()).toBe(false);
  });
});

/** All hashes made anew, by the tampering that changes nothing else. */
const rebuild = (run: Run): Promise<void> =>
  TAMPERINGS["the newest entries cut with the head moved"](
    run,
    { ...TARGET, covered: 1_000 },
    {
      roll: (below) => below - 1,
      pick: ([first]) => first,
    },
  );
