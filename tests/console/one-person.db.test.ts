import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { upsertOperator } from "@/auth/operators";
import { changeOperatorRole } from "@/auth/people/change-role";
import { inviteOperator, renewInvitation, resetTwoFactor } from "@/auth/people/people-actions";
import { createAuth, type Auth } from "@/auth/sessions";
import { createPlan } from "@/console/plans/create-plan";
import { decidePlan } from "@/console/plans/decide-plan";
import { listApprovals } from "@/console/plans/list-approvals";
import { readPlan } from "@/console/plans/read-plan";
import { tieOperators } from "@/db/second-person/same-person";
import type { Role } from "@/domain/idempotency/states";
import type { ActionRequest } from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "@/engine/testing/environment";
import { whoMayAgree } from "@/presentation/plan/plan-approval";

const PUBLIC_URL = "https://ops.example.com";
let env: EngineTestEnvironment;
let auth: Auth;
let count = 0;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
  auth = createAuth({ db: env.owner, secret: "a secret of a test, 32 characters", publicUrl: PUBLIC_URL });
  await person("Root", "admin");
});
afterAll(() => env.close());

interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}
const addressOf = (name: string): string => `${name.toLowerCase()}-${String((count += 1))}@example.com`;

/** As the command line makes somebody: tied to nobody. */
async function person(name: string, role: Role): Promise<Person> {
  const email = addressOf(name);
  const { id } = await upsertOperator(env.owner, auth, { email, password: "correct horse battery", role, name });
  return { id, name, email, role };
}
const as = ({ id, name, role }: Person, samePersonDays?: number): EngineContext => {
  const confirmation = { fresh: true, by: [] };
  const ctx = env.context({ actor: { kind: "operator", id, name, role, confirmation } });
  return { ...ctx, config: { ...ctx.config, samePersonDays } };
};
const click = () => ({ idempotencyKey: uuidv7(), receivedAt: 0, reason: "said so in the meeting" });

async function invited(by: Person, name: string, role: Role): Promise<Person> {
  const email = addressOf(name);
  await inviteOperator(as(by), PUBLIC_URL, click(), { email, name, role });
  const [row] = await env.rows<{ id: string }>("select id from onceboard.operators where email = $1", email);
  return { id: row?.id ?? "", name, email, role };
}

/** A plan that waits for a second person. */
async function asked(by: Person): Promise<string> {
  const place = `one-${uuidv7()}`;
  await env.rows(
    `with messages as (
       insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, state, received_at,
         attempts_started, attempts_finished, last_error_code)
       select $1, gen_random_uuid(), $2, 's', gen_random_uuid()::text, 'payment.succeeded', '{}', '\\x00', 'dead', now(), 5, 5, 'code'
       from generate_series(1, 25) returning id)
     insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at)
     select $1, gen_random_uuid(), 'inbox', m.id, $2, 'payment.succeeded', 'code:1', 'code', 'it broke', 5, clock_timestamp() from messages m`,
    TENANT,
    place,
  );
  const request: ActionRequest = {
    ...click(),
    action: "plans.create",
    subject: { type: "plan", id: "new" },
    input: { place },
  };
  const wish = { kind: "discard_dead_letters", scope: { by: "filter", filter: { place } } } as const;
  return String((await createPlan(as(by), request, wish)).answer.after["planId"]);
}

function approve(by: Person, id: string, samePersonDays?: number) {
  const request: ActionRequest = { ...click(), action: "plans.decide", subject: { type: "plan", id }, input: {} };
  return decidePlan(as(by, samePersonDays), request, id, { decision: "approve", start: false });
}

async function view(by: Person, id: string, samePersonDays?: number) {
  const seen = await readPlan(as(by, samePersonDays), { id, filters: { show: "all" } });
  if (seen === undefined) throw new Error("no plan");
  return seen;
}

/** Refused, said beforehand on the page and in the list, in the same words. @returns the sentence */
async function refused(by: Person, id: string): Promise<string> {
  const why = await approve(by, id).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(why).toMatchObject({ code: "plan.tied_person", status: 403 });
  const { decide } = (await view(by, id)).actions;
  expect(decide.allowed).toBe(false);
  const { message: detail } = why as Error;
  expect(detail).toBe(`Nothing was changed. ${decide.whyNot ?? ""}`);
  const listed = (await listApprovals(as(by))).waiting.find((row) => row.id === id);
  expect(listed).toMatchObject({ own: false, decide: { allowed: false, whyNot: decide.whyNot } });
  expect((await view(by, id)).state).toBe("awaiting_approval");
  return detail;
}

const DAY = /\d{1,2} \w+ \d{4}, \d\d:\d\d(:\d\d)? UTC/.source;

describe("PLAN-13 one person is one person", () => {
  it("whoever was invited does not approve what the inviter asked, and the other way round; a third may", async () => {
    const ada = await person("Ada", "admin");
    const ben = await invited(ada, "Ben", "approver");
    const third = await person("Cleo", "approver");
    const plan = await asked(ada);
    const said = await refused(ben, plan);
    expect(said).toMatch(
      new RegExp(
        `You and Ada count as one person at least until ${DAY}: Ada invited you on ${DAY}\\. Another person must approve\\.$`,
      ),
    );
    expect(whoMayAgree(await view(third, plan))).toBe(
      "An approver or an admin, but not Ada, who asked, nor Ben, who counts as the same person.",
    );
    expect((await approve(third, plan)).answer).toMatchObject({ after: { state: "ready" } });
    const back = await asked({ ...ben, role: "admin" });
    expect(await refused(ada, back)).toMatch(/You and Ben count as one person .*: you invited Ben on /);
  });

  it.each<[string, (admin: Person, other: Person) => Promise<unknown>, RegExp]>([
    [
      "a new link",
      (admin, other) => renewInvitation(as(admin), PUBLIC_URL, click(), other.id),
      /: Ada made a link for you on /,
    ],
    [
      "a second factor that was taken off",
      async (admin, other) => {
        await env.rows("update onceboard.operators set two_factor_enabled = true where id = $1", other.id);
        await resetTwoFactor(as(admin), click(), other.id);
      },
      /: Ada took the second factor of you off on /,
    ],
    [
      "another role",
      (admin, other) => changeOperatorRole(as(admin), click(), other.id, { role: "admin" }),
      /: Ada changed the role of you on /,
    ],
  ])("%s ties too", async (_what, act, words) => {
    const ada = await person("Ada", "admin");
    const ben = await person("Ben", "approver");
    const plan = await asked(ada);
    expect((await view(ben, plan)).actions.decide.allowed).toBe(true);
    await act(ada, ben);
    expect(await refused({ ...ben, role: "admin" }, plan)).toMatch(words);
  });

  it("what left everything as it was ties nobody", async () => {
    const ada = await person("Ada", "admin");
    const ben = await person("Ben", "approver");
    await changeOperatorRole(as(ada), click(), ben.id, { role: "approver" });
    await resetTwoFactor(as(ada), click(), ben.id);
    expect((await approve(ben, await asked(ada))).answer).toMatchObject({ after: { state: "ready" } });
  });

  it("goes by a chain, however long, and by whom somebody else invited both", async () => {
    const first = await person("P0", "admin");
    let last = first;
    for (let n = 1; n <= 20; n += 1) last = await invited(last, `P${String(n)}`, "admin");
    const said = await refused(last, await asked(first));
    expect(said).toMatch(/P19 invited you on .*; P18 invited P19 on .*; P0 invited P1 on /);
    const sibling = await invited(first, "Sibling", "approver");
    expect(await refused(sibling, await asked(last))).toContain("P0 invited you on ");
  });

  it("ends when the days of the deployment are over, by the database's clock", async () => {
    const ada = await person("Ada", "admin");
    const ben = await invited(ada, "Ben", "approver");
    const plan = await asked(ada);
    const age = (days: number) =>
      env.rows(
        "update onceboard.operator_ties set at = clock_timestamp() - make_interval(days => $2, mins => 1) where operator_id = $1",
        ben.id,
        days,
      );
    await age(29);
    await refused(ben, plan);
    await expect(approve(ben, plan, 31)).rejects.toMatchObject({ code: "plan.tied_person" });
    await age(2);
    await refused(ben, plan);
    expect((await view(ben, plan, 2)).actions.decide.allowed).toBe(true);
    await age(30);
    expect((await approve(ben, plan)).answer).toMatchObject({ after: { state: "ready" } });
  });

  it("is kept where only its function writes, and outlives the access log", async () => {
    const ada = await person("Ada", "admin");
    const ben = await invited(ada, "Ben", "approver");
    for (const statement of [
      "delete from onceboard.operator_ties",
      "update onceboard.operator_ties set at = '2000-01-01'",
      "insert into onceboard.operator_ties values ('a', 'b', 'role', now())",
    ])
      await expect(env.db.pool.query({ text: statement, values: [] })).rejects.toMatchObject({ code: "42501" });
    await env.rows("delete from onceboard.audit_entries where tenant_id = '' and subject_id = $1", ben.id);
    await refused(ben, await asked(ada));
  });

  it("pieces of two accounts of one person count together", async () => {
    const ada = await person("Ada", "operator");
    const ben = await person("Ben", "operator");
    const rows = (n: number) =>
      env.rows(
        `insert into onceboard.single_acts (tenant_id, kind, actor, at)
         select $1, 'discard_dead_letters', $2, clock_timestamp() from generate_series(1, $3)`,
        TENANT,
        `operator:${ben.id}`,
        n,
      );
    await rows(10);
    const weigh = async () =>
      (
        await env.rows<{ singles: number }>(
          "select singles from onceboard.weigh_plan($1, 'discard_dead_letters', $2, '{}', 60, 30)",
          TENANT,
          `operator:${ada.id}`,
        )
      )[0]?.singles;
    expect(await weigh()).toBe(0);
    await tieOperators(env.db.pool, { operatorId: ben.id, tiedTo: ada.id, why: "link" });
    expect(await weigh()).toBe(10);
  });
});
