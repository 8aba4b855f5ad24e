import fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { actOnMessage } from "@/console/actions/message-actions";
import { decidePlan, abortPlan } from "@/console/plans/decide-plan";
import { expirePlans } from "@/console/plans/expire-plans";
import { correctionInput, proposeCorrection } from "@/console/plans/propose-correction";
import { readPlan } from "@/console/plans/read-plan";
import { readOutboxMessage } from "@/console/read/messages/read-message";
import {
  CORRECTION_DUE,
  CORRECTION_ORACLE,
  CORRECTION_PLAN,
  CORRECTION_STEPS,
  correctionQuery,
  MAY_CORRECT,
} from "@/console/testing/correction-oracle";
import { type TriedMessage, triedMessages, writeTried } from "@/console/testing/correction-world";
import { holder } from "@/console/testing/meanings";
import { oracleQuery } from "@/console/testing/message-oracle";
import { REQUEUE_ORACLE } from "@/console/testing/requeue-oracle";
import { holdsFor, propertyTimeout } from "@/db/testing/property-runs";
import { can } from "@/domain/access/permission";
import { type Role, ROLES } from "@/domain/idempotency/states";
import { holding } from "@/domain/page-claim";
import type { ActionRequest } from "@/engine/actions/action-answer";
import { type Actor, engineContext, type EngineContext } from "@/engine/context";
import { relay } from "@/engine/outbox/relay";
import { createEngineTestEnvironment, type EngineTestEnvironment } from "@/engine/testing/environment";
import { through } from "@/engine/testing/transports";
import { ADVICE_CLAIMS } from "@/presentation/plan/plan-advice";
import { stepWords } from "@/presentation/plan/plan-dialog-claims";
import { PLAN_CLAIMS } from "@/presentation/plan/plan-summary";
import type { PlanView } from "@/presentation/views/plans";

const RUNS = 25;
const BUDGET_MS = 4_000;

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());

const ROUTES = ["waits", "approved", "approved", "rejected", "aborted", "expired"] as const;
const ACTS = ["nothing", "requeued", "discarded", "published", "endpoint deleted", "operation unknown"] as const;
/** What a correction changes of the data. */
const EDITS = { changed: { amount: "10.50" }, added: { note: "x" }, removed: { lines: undefined } } as const;
type Kind = keyof typeof EDITS;
interface Case {
  readonly messages: readonly TriedMessage[];
  readonly role: Role;
  readonly edits: readonly Kind[];
  readonly route: (typeof ROUTES)[number];
  /** What becomes of the message before the plan ends, and after it. */
  readonly before: (typeof ACTS)[number];
  readonly since: (typeof ACTS)[number];
}
const act = fc.oneof(fc.constant("nothing" as const), fc.constantFrom(...ACTS));
const cases: fc.Arbitrary<Case> = fc.record({
  messages: triedMessages,
  role: fc.constantFrom(...ROLES),
  edits: fc.uniqueArray(fc.constantFrom<Kind>("changed", "added", "removed"), { minLength: 1 }),
  route: fc.constantFrom(...ROUTES),
  ...{ before: act, since: act },
});

const rows = <R>(text: string, ...values: unknown[]): Promise<R[]> => env.rows<R>(text, ...values);
function as(tenantId: string, id: string, role: Role = "operator"): EngineContext {
  const actor: Actor = { kind: "operator", id, name: id, role, confirmation: { fresh: true, by: [] } };
  return engineContext({ ...env.base, instance: "test-1" }, { tenantId, actor, requestId: "req" });
}
const asked = (action: ActionRequest["action"], type: string, id: string): ActionRequest => ({
  ...{ action, idempotencyKey: uuidv7(), input: {}, subject: { type, id } },
  ...{ reason: "the merchant wants the amount as a text", receivedAt: 0 },
});

const ofMessages = holder([...CORRECTION_ORACLE, ...REQUEUE_ORACLE]);
const ofPlans = holder([...Object.values(CORRECTION_PLAN), ...CORRECTION_STEPS]);

async function ask(text: string, ...values: unknown[]): Promise<boolean> {
  const [row] = await rows<{ holds: boolean }>(text, ...values);
  return row?.holds ?? false;
}

interface Message {
  readonly tenant: string;
  readonly id: string;
  readonly topic: string;
}
const aboutMessage = ({ tenant, id, topic }: Message, sentence: string): Promise<string | undefined> =>
  ofMessages.wrong(sentence, (sql, captured) => ask(oracleQuery(sql), tenant, id, "outbox", topic, captured));
const mayCorrect = ({ tenant, id, topic }: Message): Promise<boolean> =>
  ask(oracleQuery(MAY_CORRECT), tenant, id, "outbox", topic, []);

async function messageOf(tenant: string, id: string): Promise<Message> {
  const [row] = await rows<{ topic: string }>(
    `select topic from onceboard.outbox_messages where tenant_id = $1 and id = $2
     union all select topic from onceboard.outbox_history where tenant_id = $1 and id = $2`,
    ...[tenant, id],
  );
  return { tenant, id, topic: row?.topic ?? "" };
}

/** What the page of a message says of its correction. @returns what is wrong with it */
async function wrongOnPage(message: Message, role: Role = "operator"): Promise<readonly (string | undefined)[]> {
  const page = await readOutboxMessage(as(message.tenant, "mira", role), { id: message.id });
  const action = page?.actions.find((each) => each.action === "correct");
  const offered = (await mayCorrect(message)) && page?.correctionPlan === undefined;
  expect([action?.allowed, page?.correctionNote !== undefined]).toEqual([
    offered && can(role, "outbox.correct"),
    offered,
  ]);
  if (!can(role, "outbox.correct")) return [];
  return [await aboutMessage(message, page?.correctionNote ?? action?.whyNot ?? "Nothing is said.")];
}

async function become(message: Message, what: Case["before"]): Promise<void> {
  const { tenant, id, topic } = message;
  const settle = (verb: "requeue" | "discard") =>
    actOnMessage(env.db.pool, as(tenant, "dana"), { side: "outbox", id }, verb, { name: "dana", reason: "by hand" });
  if (what === "requeued" || what === "published") await settle("requeue");
  if (what === "published")
    await relay(
      as(tenant, "relay"),
      through(() => ({ kind: "acknowledged" })),
    );
  if (what === "discarded") await settle("discard");
  if (what === "endpoint deleted")
    await rows("delete from onceboard.webhook_endpoints where tenant_id = $1 and 'webhook:' || id = $2", tenant, topic);
  if (what === "operation unknown")
    await rows(
      `update onceboard.idempotency_requests set state = 'UNKNOWN_REQUIRES_RECOVERY' where tenant_id = $1
         and operation_id = (select operation_id from onceboard.outbox_messages where tenant_id = $1 and id = $2)`,
      ...[tenant, id],
    );
}

/** Proposes another body and holds the difference that the plan shows. @returns the plan */
async function propose({ tenant, id }: Message, edits: readonly Kind[]): Promise<string> {
  const [row] = await rows<{ payload: { data: object } }>(
    "select payload from onceboard.outbox_messages where id = $1",
    id,
  );
  const data = Object.assign({ ...row?.payload.data }, ...edits.map((kind) => EDITS[kind])) as object;
  const text = JSON.stringify({ ...row?.payload, data });
  const request = { ...asked("outbox.correct", "outbox", id), input: correctionInput(text) };
  const planId = String((await proposeCorrection(as(tenant, "mira"), request, id, text)).answer.after["planId"]);
  const differing = await rows(
    `select 'data.' || coalesce(o.key, n.key) as path,
       case when o.key is null then 'added' when n.key is null then 'removed' else 'changed' end as kind
     from (select * from jsonb_each((select payload -> 'data' from onceboard.outbox_messages where id = $1))) o
     full join jsonb_each($2::jsonb -> 'data') n on n.key = o.key where o.value is distinct from n.value order by 1`,
    ...[id, text],
  );
  const { correction } = await read(tenant, planId);
  expect(correction?.changes.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(differing);
  expect(correction?.bytes).toBe(Buffer.byteLength(text));
  return planId;
}

async function read(tenant: string, id: string): Promise<PlanView> {
  const plan = await readPlan(as(tenant, "mira"), { id, filters: { show: "all" } });
  if (plan === undefined) throw new Error("no plan");
  return plan;
}

async function take(tenant: string, id: string, route: Case["route"]): Promise<void> {
  const zoe = as(tenant, "zoe", "approver");
  const decision = route === "rejected" ? "reject" : "approve";
  if (route === "approved" || route === "rejected")
    await decidePlan(zoe, asked("plans.decide", "plan", id), id, { decision, start: true }).catch((error: unknown) => {
      expect(error).toMatchObject({ code: "correction.not_possible" });
    });
  if (route === "aborted") await abortPlan(as(tenant, "mira"), asked("plans.abort", "plan", id), id);
  if (route !== "expired") return;
  await rows("update onceboard.plans set created_at = now() - interval '8 days' where id = $1", id);
  await expirePlans(as(tenant, "plans"), 10);
}

/** @returns what a plan of a correction says and is not so, or does not say and is */
async function wrongOfPlan(message: Message, id: string): Promise<readonly (string | undefined)[]> {
  const { tenant } = message;
  const plan = await read(tenant, id);
  const about = (sql: string, captured: readonly (string | null)[]) => ask(correctionQuery(sql), tenant, id, captured);
  const said = new Map(holding([...PLAN_CLAIMS, ...ADVICE_CLAIMS], plan).map((each) => [each.name, each.words(plan)]));
  const wrong: (string | undefined)[] = [];
  for (const words of said.values()) wrong.push(await ofPlans.wrong(words, about));
  const [due] = await rows<{ names: readonly string[] }>(CORRECTION_DUE, tenant, id);
  expect([...said.keys()].toSorted()).toEqual(due?.names);
  const { correction, items } = plan;
  const waits = plan.state === "awaiting_approval";
  const may = waits && (await mayCorrect(message));
  expect([correction?.note !== undefined, correction?.whyNot !== undefined]).toEqual([may, waits && !may]);
  for (const text of [correction?.note, correction?.whyNot].filter((each) => each !== undefined))
    wrong.push(await aboutMessage(message, text));
  const dialogs = [
    `Reject leaves: ${stepWords.rejectSkipped(plan)}`,
    stepWords.rejectNotDone(plan),
    `Stop leaves: ${stepWords.stopSkipped(plan)}`,
  ];
  for (const text of [...(waits ? dialogs : []), ...items.rows.flatMap(({ outcome }) => outcome ?? [])])
    wrong.push(await ofPlans.wrong(text, about));
  return wrong;
}

async function falseSentences({ messages, role, edits, route, before, since }: Case): Promise<readonly string[]> {
  const { tenant, ids } = await writeTried(rows, messages);
  const wrong: (string | undefined)[] = [];
  const offered: Message[] = [];
  for (const id of ids) {
    const message = await messageOf(tenant, id);
    wrong.push(...(await wrongOnPage(message, role)));
    if (await mayCorrect(message)) offered.push(message);
  }
  const [message] = offered;
  if (message !== undefined) {
    const plan = await propose(message, edits);
    wrong.push(...(await wrongOfPlan(message, plan)), ...(await wrongOnPage(message)));
    await become(message, before);
    await take(tenant, plan, route);
    wrong.push(...(await wrongOfPlan(message, plan)));
    await become(message, since);
    wrong.push(...(await wrongOfPlan(message, plan)));
  }
  return wrong.filter((each) => each !== undefined);
}

const DEAD: TriedMessage = {
  ...{ place: "payments", state: "dead", ends: ["delivery.http_422"], unkept: 0, diedBefore: false },
  ...{ old: false, large: false, operation: "settled", held: false },
};
const HOOK: TriedMessage = { ...DEAD, place: "enabled", ends: ["webhook.http_410", "webhook.http_410"] };
const QUIET = { role: "operator", edits: ["changed"], before: "nothing", since: "nothing" } as const;
/** So that each sentence is said. */
const ALWAYS: readonly Case[] = [
  ...[...new Set(ROUTES)].map((route): Case => ({ ...QUIET, route, messages: [DEAD] })),
  ...ACTS.map((before): Case => ({ ...QUIET, route: "approved", messages: [HOOK], before })),
  ...ACTS.map((since): Case => ({ ...QUIET, route: "rejected", messages: [HOOK], since })),
  { ...QUIET, route: "approved", messages: [DEAD], since: "published" },
  {
    ...{ ...QUIET, route: "waits" },
    messages: [
      { ...DEAD, place: "mail" },
      { ...HOOK, place: "deleted" },
      { ...DEAD, held: true },
      { ...DEAD, ends: ["delivery.http_503", "lost"] },
      { ...DEAD, unkept: 1 },
      { ...DEAD, old: true },
      { ...DEAD, large: true },
      { ...HOOK, ends: ["webhook.unsafe_destination"] },
      { ...HOOK, ends: ["webhook.unsafe_destination", "webhook.http_410"] },
    ],
  },
];

describe("TRUTH-1 every sentence about the correction of a message", () => {
  it("holds where it is said, and each is said", { timeout: propertyTimeout() }, async () => {
    for (const each of ALWAYS) expect(await falseSentences(each)).toEqual([]);
    const ours = new Set(CORRECTION_ORACLE.map(([sentence]) => sentence));
    expect(ofMessages.neverSaid().filter((sentence) => ours.has(sentence))).toEqual([]);
    expect(ofPlans.neverSaid()).toEqual([]);
  });

  it("holds whatever its attempts ended with and becomes of it", { timeout: propertyTimeout(BUDGET_MS) }, async () => {
    await holdsFor(cases, { runs: RUNS, budgetMs: BUDGET_MS }, async (each) => {
      expect(await falseSentences(each)).toEqual([]);
    });
  });

  it("and a false one is found", async () => {
    const { tenant, ids } = await writeTried(rows, [{ ...DEAD, ends: ["delivery.http_422", "delivery.http_503"] }]);
    const message = await messageOf(tenant, ids[0] ?? "");
    const planted = [
      "The receiver refused all 2 attempts (delivery.http_503). The corrected message has a new id: to the receiver it is a new message.",
      "Its endpoint was deleted: there is nowhere to send it.",
      "A correction of it waits for approval.",
      "ledger has a message of this id: a new id could take effect a second time.",
      "It may be corrected.",
    ];
    for (const sentence of planted) expect(await aboutMessage(message, sentence)).toContain(sentence);
    expect(await wrongOnPage(message)).toEqual([undefined]);
  });
});
