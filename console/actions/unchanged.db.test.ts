import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeView, saveView } from "@/console/saved-views/write-views";
import { createEndpoint, changeEndpoint, rotateSecret, setEndpointDisabled } from "@/console/webhooks/endpoint-actions";
import { meanwhile } from "@/console/testing/meanwhile";
import { readEventSources } from "@/console/read/messages/read-event-sources";
import { readTopic } from "@/console/read/messages/read-topic";
import { eventSourceSecrets } from "@/db/inbox/event-sources";
import { inTransaction } from "@/db/transaction";
import type { ActionRequest, ActionResult } from "@/engine/actions/action-answer";
import {
  createEngineTestEnvironment,
  operator,
  TENANT,
  type EngineTestEnvironment,
} from "@/engine/testing/environment";
import type { Deployment } from "@/engine/outbox/topics";
import { purgeBody, revealBody } from "./body-actions";
import { addEventSecret, expireEventSecret } from "./event-secrets";
import { assignOperation } from "./operation-actions";
import { setPolicy } from "./set-policy";
import { pauseTopic, resumeTopic, routeTopic } from "./set-topic";

const HERE: Deployment = { fallback: "http", offered: ["http", "nats"] };
let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());

const ctx = () => env.context({ actor: operator() });
const click = () => ({ idempotencyKey: uuidv7(), receivedAt: performance.now(), reason: "as the test says" });
const about = (action: ActionRequest["action"], id: string): ActionRequest => ({
  ...click(),
  action,
  input: {},
  subject: { type: "operation", id },
});
const why = async (work: Promise<ActionResult>): Promise<string | undefined> => {
  const { answer } = await work;
  if (answer.affected === 0) expect(answer.changed).toBe(false);
  return answer.skipped[0]?.why;
};
const rows = <R>(text: string, ...values: unknown[]): Promise<R[]> => env.rows<R>(text, ...values);
/** All that actions write. @param work must be refused @returns how, while nothing was written */
async function refused(work: () => Promise<unknown>): Promise<unknown> {
  const tables = ["event_sources", "webhook_endpoints", "webhook_secrets", "topics", "operation_policies"];
  const written = () =>
    rows(
      [...tables, "audit_entries", "idempotency_open", "conflict_marks"]
        .map(
          (name) =>
            `select '${name}' as name, coalesce(md5(string_agg(t::text, '' order by t::text)), '') as all from onceboard.${name} t`,
        )
        .join(" union all "),
    );
  const before = await written();
  const error: unknown = await work().then(
    () => "It was not refused",
    (reason: unknown) => reason,
  );
  expect(await written()).toEqual(before);
  return error;
}

describe("bodies that stay", () => {
  const purge = (id: string) => why(purgeBody(ctx(), about("operations.purge_body", id), id));
  const left = async (id: string): Promise<number> =>
    (await rows("select 1 from onceboard.idempotency_bodies where operation_id = $1", id)).length;
  const NOT_NOW = "It has no stored body, may run again under its key, or was in use at that moment.";

  it("of an open operation and of one that was purged before", async () => {
    const open = await env.operation({ state: "UNKNOWN_REQUIRES_RECOVERY" });
    expect(await purge(open)).toBe("It is still open: the body is evidence.");
    expect(await left(open)).toBe(2);
    const settled = await env.operation();
    expect(await purge(settled)).toBeUndefined();
    expect(await left(settled)).toBe(0);
    expect(await purge(settled)).toBe("Its body was purged already.");
  });

  it("or are not there, of a key that may run again, and of a row that somebody holds", async () => {
    const none = await env.operation();
    await rows("delete from onceboard.idempotency_bodies where operation_id = $1", none);
    expect(await why(revealBody(ctx(), about("bodies.reveal", none), none))).toBe("There is no stored body.");
    expect(await purge(none)).toBe(NOT_NOW);
    const again = await env.operation({ state: "FAILED_RETRYABLE" });
    expect(await purge(again)).toBe(NOT_NOW);
    expect(await left(again)).toBe(2);
    const held = await env.operation();
    await inTransaction(env.owner, async (tx) => {
      await tx.query({
        text: "select 1 from onceboard.idempotency_requests where operation_id = $1 for update",
        values: [held],
      });
      expect(await purge(held)).toBe(NOT_NOW);
    });
    expect(await left(held)).toBe(2);
    expect(await purge(held)).toBeUndefined();
    expect(await why(revealBody(ctx(), about("bodies.reveal", again), again))).toBeUndefined();
  });
});

describe("secrets of a source of events", () => {
  const add = (source: string, given?: string) => addEventSecret(ctx(), click(), source, given);
  const valid = async (source: string) =>
    (await eventSourceSecrets(env.owner.pool, TENANT, source)).map(({ secret_id: id }) => id);
  const expire = (source: string, secretId: string) => expireEventSecret(ctx(), click(), { source, secretId });
  const base64 = (bytes: number): string => Buffer.alloc(bytes, 7).toString("base64");

  it.each([
    ["of 23 bytes", base64(23)],
    ["of 65 bytes", base64(65)],
    ["of no base64", "ä ö"],
    ["of none", ""],
  ])("one %s is refused, and nothing is made", async (_what, given) => {
    expect(await refused(() => add("bank", given))).toMatchObject({
      code: "validation.event_secret",
      message: "A secret is 24 to 64 bytes in base64, with whsec_ before it or without. Nothing was made.",
    });
  });

  it("of 24 and 64 bytes are taken, with whsec_ and without", async () => {
    for (const given of [base64(24), base64(64), `whsec_${base64(24)}`, `whsec_${base64(64)}`])
      expect((await add("given", given)).answer.changed).toBe(true);
  });

  it("are five at the most, of which all but the newest expire", async () => {
    for (let n = 0; n < 5; n += 1) await add("many");
    expect(await refused(() => add("many"))).toMatchObject({
      code: "event_source.secrets",
      message: "Nothing was changed. Wait until an older one expires.",
    });
    await rows(
      "update onceboard.event_sources set expires_at = now() where source = 'many' and expires_at is not null",
    );
    expect((await add("many")).answer.changed).toBe(true);
  });

  it("of ourselves one stays valid, and the page says why", async () => {
    await add("onceboard");
    const [id = ""] = await valid("onceboard");
    const shown = async () =>
      (await readEventSources(ctx())).secrets
        .filter(({ source }) => source === "onceboard")
        .map((row) => row.whyNotExpire);
    expect(await shown()).toEqual(["Our own messages are signed with it: add another one first."]);
    expect(await refused(() => expire("onceboard", id))).toMatchObject({
      code: "event_source.last_secret",
      message: "Nothing was changed. Add another one first.",
    });
    await add("onceboard");
    expect(await shown()).toEqual([undefined, undefined]);
    expect((await expire("onceboard", id)).answer.changed).toBe(true);
  });

  it("of ourselves one stays valid, and five are the most, also when they change at once", async () => {
    await add("onceboard");
    const both = await valid("onceboard");
    expect(both).toHaveLength(2);
    await Promise.allSettled(both.map((id) => expire("onceboard", id)));
    expect(await valid("onceboard")).toHaveLength(1);
    await Promise.allSettled(Array.from({ length: 8 }, () => add("crowd")));
    const crowd = "select 1 from onceboard.event_sources where source = 'crowd' and coalesce(expires_at > now(), true)";
    expect(await rows(crowd)).toHaveLength(5);
  });

  it("that somebody else ends first had ended already", async () => {
    await add("partner");
    const [id = ""] = await valid("partner");
    const end = `update onceboard.event_sources set expires_at = now() where secret_id = '${id}'`;
    const { answer } = await meanwhile(env, end, () => expire("partner", id));
    expect(answer).toMatchObject({ changed: false, skipped: [{ id, why: "It had ended already." }] });
    expect(await refused(() => expire("partner", id))).toMatchObject({ code: "event_source.secret_not_found" });
  });
});

describe("who looks after an operation", () => {
  const assign = (id: string) => assignOperation(ctx(), about("operations.assign", id), id, "me");

  it("is changed of an open one, and nothing of any other", async () => {
    const open = await env.operation({ state: "UNKNOWN_REQUIRES_RECOVERY" });
    expect((await assign(open)).answer.changed).toBe(true);
    for (const state of ["COMPLETED", "FAILED_REPLAYABLE", "FAILED_RETRYABLE", "EXPIRED"] as const) {
      const id = await env.operation({ state });
      expect(await refused(() => assign(id)), state).toMatchObject({
        code: "operation.not_open",
        title: "This operation is not open",
        message: "There is nothing left to look after. Nothing was changed.",
      });
    }
  });

  it("is not said to be settled of one that is not there", async () => {
    expect(await refused(() => assign(uuidv7()))).toMatchObject({ code: "operation.not_found", status: 404 });
  });
});

describe("what is like that already, or was looked at in another version", () => {
  it("a policy", async () => {
    const change = { operation: "payments.create", overrides: { mismatchStatus: 422 }, expectedVersion: 3 };
    const owners = [{ name: "payments.create", policy: {} }];
    expect(await refused(() => setPolicy(ctx(), owners, click(), change))).toMatchObject({
      code: "policy.version_conflict",
      title: "This policy is at another version",
      message: "Nothing was changed. Look again.",
    });
  });

  it("a topic", async () => {
    await env.outbox({ topic: "payments" });
    const at = (expectedVersion: number, topic = "payments") => ({ ...click(), topic, expectedVersion });
    const actions = async () => {
      const view = await readTopic(ctx(), HERE, { topic: "payments" });
      return [view?.actions.pause.whyNot, view?.actions.resume.whyNot];
    };
    expect(await refused(() => pauseTopic(ctx(), at(3)))).toMatchObject({
      code: "topic.version_conflict",
      title: "This topic is at another version",
      message: "Nothing was changed. Look again.",
    });
    expect(await refused(() => pauseTopic(ctx(), at(0, "nowhere")))).toMatchObject({
      code: "topic.not_found",
      message: "Nothing was changed. No message, setting or endpoint of this name was found.",
    });
    expect(await refused(() => pauseTopic(ctx(), at(0, "no name")))).toMatchObject({
      code: "topic.not_found",
      message: "Nothing was changed. A topic cannot have this name.",
    });
    expect(await why(resumeTopic(ctx(), at(0)))).toBe("It is not paused.");
    expect(await actions()).toEqual([undefined, "It is not paused."]);
    expect(await why(pauseTopic(ctx(), at(0)))).toBeUndefined();
    expect(await why(pauseTopic(ctx(), at(1)))).toBe("It is paused already.");
    expect(await actions()).toEqual(["It is paused already.", undefined]);
    const route = { transport: "nats", destination: "events.payments" } as const;
    expect(await why(routeTopic(ctx(), HERE, at(1), route))).toBeUndefined();
    expect(await why(routeTopic(ctx(), HERE, at(2), route))).toBe("It has this route already.");
    expect(await why(routeTopic(ctx(), HERE, at(2), { ...route, destination: "events.other" }))).toBeUndefined();
  });

  it("a saved view", async () => {
    const view = await saveView(ctx(), click(), { page: "inbox", name: "Dead here", search: "?state=dead" });
    const id = view.answer.subject?.id ?? "";
    expect(await why(changeView(ctx(), click(), id, { name: "Dead here" }))).toBe("It is so already.");
    expect(await why(changeView(ctx(), click(), id, { name: "Dead there" }))).toBeUndefined();
  });

  it("an endpoint", async () => {
    const make = (url: string) =>
      createEndpoint(ctx(), click(), { url, types: [], description: "" }, { allowPrivate: false });
    expect(await refused(() => make("shop.example/hooks"))).toMatchObject({
      code: "validation.webhook_url",
      message: "It is not a whole URL. Nothing was made.",
    });
    const id = String((await make("https://shop.example/hooks")).answer.after["id"]);
    expect(await refused(() => make("https://shop.example/hooks#again"))).toMatchObject({
      code: "webhook_endpoint.exists",
      message: "Nothing was made. Change the existing one.",
    });
    const same = "It is like that already.";
    expect(await why(changeEndpoint(ctx(), click(), id, { types: [], description: "" }))).toBe(same);
    expect(await why(changeEndpoint(ctx(), click(), id, { types: [], description: "of the shop" }))).toBeUndefined();
    expect(await why(setEndpointDisabled(ctx(), click(), id, false))).toBe(same);
    expect(await why(setEndpointDisabled(ctx(), click(), id, true))).toBeUndefined();
    expect(await why(setEndpointDisabled(ctx(), click(), id, true))).toBe(same);
    for (let n = 1; n < 4; n += 1) await rotateSecret(ctx(), click(), id);
    expect(await refused(() => rotateSecret(ctx(), click(), id))).toMatchObject({
      code: "webhook_endpoint.secrets",
      message: "Nothing was changed. Wait until an older one expires.",
    });
    await rows("update onceboard.webhook_secrets set expires_at = now() where expires_at is not null");
    expect((await rotateSecret(ctx(), click(), id)).answer.changed).toBe(true);
  });
});
