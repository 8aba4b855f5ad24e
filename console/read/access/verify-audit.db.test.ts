import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAuditFilters } from "@/presentation/filters/parsers";
import { makeKeyPair, signingKeyOf } from "@/engine/audit/signing-key";
import { createWitness } from "@/engine/audit/witness";
import { createLog } from "@/engine/telemetry/log";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { readableChain } from "./audit-chain";
import { listAudit } from "./list-audit";
import { verifyAudit } from "./verify-audit";

const ENTRIES = 250;
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  await desk.rows(
    `select onceboard.append_audit('acme', gen_random_uuid(), 'operator', 'op', 'Op', 'operations.resolve', 'operation', n::text,
       'why', null, '{}', null, 'req-' || n) from generate_series(1, $1::integer) n`,
    ENTRIES,
  );
});
afterAll(() => desk.close());

/** As the page does it: part by part until it ends. */
async function walk(): Promise<{ readonly parts: number; readonly last: Awaited<ReturnType<typeof verifyAudit>> }> {
  let parts = 1;
  let last = await verifyAudit(desk.context("auditor"), { budgetMs: 0, batch: 100 });
  while (last.result === "unfinished") {
    const from = String(Number(last.checkedTo) + 1);
    last = await verifyAudit(desk.context("auditor"), { from, budgetMs: 0, batch: 100 });
    parts += 1;
  }
  return { parts, last };
}
const broken = async (break_: string, mend: string) => {
  await desk.rows(break_);
  const { last } = await walk();
  const whole = await verifyAudit(desk.context());
  expect(whole.brokenAt).toBe(last.brokenAt);
  await desk.rows(mend);
  return last;
};

describe("AUDIT-1 the audit chain, verified in parts", () => {
  it("holds, and says how far each part came", async () => {
    const first = await verifyAudit(desk.context("auditor"), { budgetMs: 0, batch: 100 });
    expect(first).toMatchObject({ result: "unfinished", from: "1", checkedTo: "100", head: "250" });
    const { parts, last } = await walk();
    expect(parts).toBe(3);
    expect(last).toMatchObject({ result: "holds", from: "201", checkedTo: "250" });
    expect(await verifyAudit(desk.context())).toMatchObject({ result: "holds", checkedTo: "250", head: "250" });
  });

  it("holds when it ends where a part ends", async () => {
    expect(await verifyAudit(desk.context(), { budgetMs: 0, batch: 250 })).toMatchObject({ result: "unfinished" });
    expect(await verifyAudit(desk.context(), { from: "251", batch: 250 })).toMatchObject({
      result: "holds",
      checkedTo: "250",
    });
  });

  it.each([
    ["first entry of a part", 101],
    ["last entry of a part", 100],
    ["last entry", 250],
    ["first entry", 1],
  ])("names the %s when it was changed", async (_where, sequence) => {
    const at = String(sequence);
    const last = await broken(
      `update onceboard.audit_entries set reason = 'forged' where tenant_id = 'acme' and sequence = ${at}`,
      `update onceboard.audit_entries set reason = 'why' where tenant_id = 'acme' and sequence = ${at}`,
    );
    expect(last).toMatchObject({ result: "broken", brokenAt: at, why: "an entry was changed" });
    expect(last.brokenId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([150, 100, 101])("names entry %i when it is gone", async (sequence) => {
    const at = String(sequence);
    const last = await broken(
      `create table kept as select * from onceboard.audit_entries where sequence = ${at}; delete from onceboard.audit_entries where sequence = ${at}`,
      "insert into onceboard.audit_entries select * from kept; drop table kept",
    );
    expect(last).toMatchObject({ result: "broken", brokenAt: at, why: "an entry is missing", brokenId: undefined });
  });

  /** The hash that an entry must have behind the one before it. */
  const OWN_HASH = "onceboard.audit_entry_hash(audit_entries, previous_hash)";
  const COPY = "create table kept as select * from onceboard.audit_entries";
  const BACK =
    "delete from onceboard.audit_entries; insert into onceboard.audit_entries select * from kept; drop table kept";

  const FORGERIES = [
    [
      "a changed entry",
      `update onceboard.audit_entries set reason = 'forged' where sequence = 120;
       update onceboard.audit_entries set hash = ${OWN_HASH} where sequence = 120`,
      "121",
    ],
    [
      "an inserted entry",
      `delete from onceboard.audit_entries where sequence > 120;
       insert into onceboard.audit_entries select k.* from kept k where k.sequence = 121;
       update onceboard.audit_entries set id = gen_random_uuid(), reason = 'forged' where sequence = 121;
       update onceboard.audit_entries set hash = ${OWN_HASH} where sequence = 121;
       update kept set sequence = sequence + 1 where sequence > 120;
       insert into onceboard.audit_entries select k.* from kept k where k.sequence > 121;
       update kept set sequence = sequence - 1 where sequence > 121`,
      "122",
    ],
  ] as const;
  it.each(FORGERIES)(
    "names the entry behind %s whose own hash was made anew: all hashes behind it would have to be",
    async (_what, forge, at) => {
      expect(await broken(`${COPY}; ${forge}`, BACK)).toMatchObject({ result: "broken", brokenAt: at });
    },
  );

  it("names the end when it was cut", async () => {
    const last = await broken(
      "create table kept as select * from onceboard.audit_entries where sequence > 240; delete from onceboard.audit_entries where sequence > 240",
      "insert into onceboard.audit_entries select * from kept; drop table kept",
    );
    expect(last).toMatchObject({ result: "broken", brokenAt: "241", why: "the end of the chain was cut" });
  });

  it("does not ask the database whether a hash is right: its functions may have been replaced", async () => {
    const [was] = await desk.rows<{ text: string }>(
      "select pg_get_functiondef('onceboard.audit_entry_hash'::regproc) as text",
    );
    const last = await broken(
      `create or replace function onceboard.audit_entry_hash(p_entry onceboard.audit_entries, p_previous bytea) returns bytea
         language sql immutable as $$ select (p_entry).hash $$;
       update onceboard.audit_entries set reason = 'forged' where tenant_id = 'acme' and sequence = 120`,
      `${was?.text ?? ""}; update onceboard.audit_entries set reason = 'why' where tenant_id = 'acme' and sequence = 120`,
    );
    expect(last).toMatchObject({ result: "broken", brokenAt: "120", why: "an entry was changed" });
  });

  it("AUDIT-3 says what it was held against: nothing without a key, and the newest checkpoint with its time with one", async () => {
    expect(await verifyAudit(desk.context())).toMatchObject({ result: "holds", checkpoints: { kept: "none" } });
    const key = signingKeyOf(makeKeyPair().privatePem, "of this test");
    const auditKeys = { key, known: new Map([[key.id, key.publicKey]]) };
    const ctx = { ...desk.context(), auditKeys };
    expect(await verifyAudit(ctx)).toMatchObject({ result: "holds", checkpoints: { kept: "not yet" } });
    const [sinks, log, everyMs] = [[], createLog("silent"), 0];
    const witness = createWitness({ db: ctx.db.pool, key, keys: auditKeys.known, sinks, everyMs, log });
    await witness.turn({ always: true });
    const newest = await witness.newest("acme");
    const signed = { kept: "signed", at: newest?.at, covers: "250", since: "0" };
    expect(await verifyAudit(ctx)).toMatchObject({ result: "holds", checkpoints: signed });
    // All hashes made anew: the chain alone holds.
    await desk.rows(
      `${COPY}; delete from onceboard.audit_entries where tenant_id = 'acme' and sequence > 200;
       create table head as select * from onceboard.audit_heads;
       update onceboard.audit_heads h set sequence = 200, hash = a.hash from onceboard.audit_entries a where h.tenant_id = 'acme' and a.sequence = 200`,
    );
    expect(await verifyAudit(desk.context())).toMatchObject({ result: "holds", checkedTo: "200" });
    const cut = { result: "broken", brokenAt: "201", why: "the end of the chain was cut" };
    expect(await verifyAudit(ctx)).toMatchObject(cut);
    expect(await verifyAudit(ctx, { from: "150", batch: 20 })).toMatchObject(cut);
    await desk.rows(
      "truncate onceboard.audit_heads; insert into onceboard.audit_heads select * from head; drop table head",
    );
    await desk.rows(BACK);
    expect(await verifyAudit(ctx)).toMatchObject({ result: "holds" });
    await desk.rows("truncate onceboard.audit_checkpoints");
  });

  it("needs a role that may verify, and a number", async () => {
    await expect(verifyAudit(desk.context("viewer"))).rejects.toMatchObject({ code: "auth.forbidden" });
    for (const from of ["0", "-1", "x", "1e9", ""])
      await expect(verifyAudit(desk.context(), { from }), from).rejects.toMatchObject({ code: "validation.filter" });
  });
});

it("AUDIT-1 the access log is one for all tenants, and no API key opens it", () => {
  const client = { kind: "client", id: "till", name: "till", scopes: ["admin"] } as const;
  for (const tenant of ["acme", "globex"]) {
    const person = desk.context("auditor", tenant);
    expect(readableChain(person, "access")).toBe(readableChain(desk.context("auditor"), "access"));
    expect(readableChain(person)).toBe(tenant);
    expect(() => readableChain({ tenantId: tenant, actor: client }, "access")).toThrow(
      "The access log belongs to the whole deployment, an API key to one tenant.",
    );
  }
});

it("AUDIT-1 finds entries by any id", async () => {
  const of = async (id: string): Promise<readonly string[]> => {
    const { list } = await listAudit(desk.context("viewer"), { filters: parseAuditFilters({ id }).filters });
    return list.kind === "page" ? list.rows.map(({ sequence }) => sequence) : [];
  };
  const [entry] = await desk.rows<{ id: string }>("select id from onceboard.audit_entries where sequence = 7");
  expect(await of(entry?.id ?? "")).toEqual(["7"]);
  expect(await of("req-8")).toEqual(["8"]);
  expect(await of("9")).toEqual(["9"]);
  expect(await of("nothing")).toEqual([]);
});
