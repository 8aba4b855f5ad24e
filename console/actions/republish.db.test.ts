import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { REPUBLISH_MAX } from "@/domain/messages/republish-verdict";
import { PLAN_RULES } from "@/domain/plans/plan";
import { readOutboxMessage } from "@/console/read/messages/read-message";
import { consume } from "@/engine/inbox/consume";
import { createConsumerRegistry } from "@/engine/inbox/consumer";
import { OWN_SOURCE } from "@/engine/inbox/event-source";
import { receive } from "@/engine/inbox/receive";
import { relay } from "@/engine/outbox/relay";
import { createEngineTestEnvironment, operator, type EngineTestEnvironment } from "@/engine/testing/environment";
import { through } from "@/engine/testing/transports";
import { republishAction } from "./republish";

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
  await env.rows("create table effects (message_id text not null); grant all on effects to onceboard_app");
});
afterAll(() => env.close());
beforeEach(() =>
  env.rows(
    "truncate onceboard.outbox_messages, onceboard.outbox_history, onceboard.inbox_messages, onceboard.inbox_open, onceboard.single_acts, effects",
  ),
);

const consumers = createConsumerRegistry([
  {
    name: "ledger",
    path: "transaction",
    subscribes: (source) => source === OWN_SOURCE,
    async handle(_ctx, tx, { messageId }) {
      await tx.query({ text: "insert into effects values ($1)", values: [messageId] });
      return "ok";
    },
  },
]);
const effects = (id: string) => env.rows("select 1 from effects where message_id = $1", id);
const request = (id: string, key = uuidv7()) =>
  ({
    action: "outbox.republish",
    idempotencyKey: key,
    input: {},
    subject: { type: "outbox", id },
    reason: "the broker lost its disk",
    receivedAt: performance.now(),
  }) as const;
const by = (person = "op-mira") => env.context({ actor: operator("operator", person) });
const again = (id: string, ctx = by()) => republishAction(ctx, request(id), id);
const detail = async (id: string, ctx = by()) => {
  const found = await readOutboxMessage(ctx, { id });
  if (found === undefined) throw new Error("no message");
  return found;
};

const sent: { id: string; body: string }[] = [];
/** Says yes and keeps nothing. */
const losing = through(({ id, body }) => {
  sent.push({ id, body });
  return { kind: "acknowledged" };
});
const arrive = ({ id, body }: { readonly id: string; readonly body: string }) =>
  receive(env.context(), consumers, {
    source: OWN_SOURCE,
    messageId: id,
    type: "payment.succeeded",
    payload: JSON.parse(body),
    headers: {},
    payloadBytes: Buffer.from(body),
  });

/** A message that was acknowledged some minutes ago. */
async function published(options: Parameters<EngineTestEnvironment["outbox"]>[0] = {}): Promise<string> {
  const id = await env.outbox(options);
  await relay(env.context(), losing);
  await age(id);
  return id;
}
const age = (id: string) =>
  env.rows("update onceboard.outbox_history set published_at = published_at - interval '10 minutes' where id = $1", id);
const where = async (id: string) => ({
  open: await env.rows("select state, position, attempts_started from onceboard.outbox_messages where id = $1", id),
  history: await env.rows("select position, republished from onceboard.outbox_history where id = $1", id),
});
const refusal = (code: string, verdict: string) => ({ code, status: 409, extensions: { verdict } });

describe("MESSAGE-8 a message that was acknowledged and never arrived", () => {
  it("is published again under its id with the same bytes, and is handled once", async () => {
    const id = await published();
    const before = await where(id);
    expect(await detail(id)).toMatchObject({
      republished: [],
      actions: [{ action: "republish", allowed: true }, {}, {}, {}],
      republishNote: expect.stringMatching(
        /^The receiver acknowledged it over http on .*, at attempt 1, and no consumer here has its id\.$/,
      ) as string,
    });
    const { answer } = await again(id);
    expect(answer).toMatchObject({ changed: true, after: { state: "pending", times: 1, most: REPUBLISH_MAX } });
    expect(await where(id)).toMatchObject({
      open: [{ state: "pending", attempts_started: 0, position: (before.history[0] as { position: string }).position }],
      history: [],
    });
    await relay(env.context(), losing);
    const [first, second, ...more] = sent.filter((each) => each.id === id);
    expect(second).toEqual(first);
    expect(more).toEqual([]);
    if (second === undefined) throw new Error("not sent");
    await arrive(second);
    await consume(env.context(), consumers);
    expect(await effects(id)).toHaveLength(1);
    expect((await detail(id)).republished).toEqual([
      {
        publishedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        publishedBy: expect.any(String) as string,
        transport: "http",
        attempts: 1,
        at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        by: "Mira (op-mira)",
        reason: "the broker lost its disk",
      },
    ]);
    expect(
      await env.rows(
        "select actor_name, reason, before ->> 'transport' as transport, after ->> 'times' as times from onceboard.audit_entries where action = 'outbox.republish' and subject_id = $1",
        id,
      ),
    ).toEqual([{ actor_name: "Mira (op-mira)", reason: "the broker lost its disk", transport: "http", times: "1" }]);
  });

  it("a copy of what arrives after all is dropped by its id, and handled once", async () => {
    const id = await published();
    await again(id);
    await relay(env.context(), losing);
    for (const copy of sent.filter((each) => each.id === id)) await arrive(copy);
    await consume(env.context(), consumers);
    expect(await effects(id)).toHaveLength(1);
    expect(
      await env.rows("select duplicates, mismatches from onceboard.inbox_messages where message_id = $1", id),
    ).toEqual([{ duplicates: 1, mismatches: 0 }]);
  });

  it("keeps its place: what still waits of its aggregate waits for it", async () => {
    const aggregate = uuidv7();
    const id = await published({ aggregate });
    const later = await env.outbox({ aggregate });
    await again(id);
    const order: string[] = [];
    const noting = through((delivery) => {
      order.push(delivery.id);
      return { kind: "acknowledged" };
    });
    while ((await relay(env.context(), noting)).published > 0);
    expect(order).toEqual([id, later]);
  });

  it("of two people at once one publishes it again, and it leaves once", async () => {
    const id = await published();
    const count = sent.filter((each) => each.id === id).length;
    const results = await Promise.allSettled([again(id), again(id, by("op-ines"))]);
    const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
    expect(refused).toEqual([expect.objectContaining({ code: "outbox.not_republishable" })]);
    while ((await relay(env.context(), losing)).published > 0);
    expect(sent.filter((each) => each.id === id)).toHaveLength(count + 1);
  });

  it("counts towards the threshold of a plan", async () => {
    const ids: string[] = [];
    for (let n = 0; n < PLAN_RULES.republish_messages.approvalFrom; n += 1) ids.push(await env.outbox());
    while ((await relay(env.context(), losing)).published > 0);
    for (const id of ids) await age(id);
    const results = await Promise.allSettled(ids.map((id) => again(id)));
    const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
    expect(refused).toEqual([expect.objectContaining({ code: "plan.needed" })]);
    expect(await env.rows("select 1 from onceboard.outbox_messages")).toHaveLength(ids.length - 1);
  });
});

describe("MESSAGE-8 is not published again", () => {
  const stays = async (id: string, code: string, verdict: string, why: RegExp): Promise<void> => {
    const before = await where(id);
    await expect(again(id)).rejects.toMatchObject({
      ...refusal(code, verdict),
      message: expect.stringMatching(why) as string,
    });
    expect(await where(id)).toEqual(before);
    expect((await detail(id)).actions[0]).toMatchObject({
      allowed: false,
      whyNot: expect.stringMatching(why) as string,
    });
  };

  it.each([
    ["received", "recorded", /^It arrived: ledger received it on /],
    ["processed", "processed", /^It arrived: ledger processed it on /],
    ["dead at its consumer", "dead", /^It arrived: ledger has it as a dead letter, received on /],
  ])("what is %s: it arrived", async (_what, state, why) => {
    const id = await published();
    const copy = sent.find((each) => each.id === id);
    if (copy === undefined) throw new Error("not sent");
    await arrive(copy);
    if (state === "processed") await consume(env.context(), consumers);
    if (state === "dead")
      await env.rows("update onceboard.inbox_messages set state = 'dead' where message_id = $1", id);
    await stays(id, "outbox.arrived", "arrived", why);
  });

  it("what a consumer holds with another payload", async () => {
    const id = await published();
    await arrive({ id, body: '{"other":true}' });
    await stays(id, "outbox.arrived", "mismatch", /^ledger holds another payload under this id\./);
  });

  it("what was just published: it may be on its way", async () => {
    const id = await env.outbox();
    await relay(env.context(), losing);
    await stays(id, "outbox.not_republishable", "recent", /for 3 minutes it may be on its way\./);
  });

  it(`what was published again ${String(REPUBLISH_MAX)} times`, async () => {
    const id = await published();
    for (let n = 0; n < REPUBLISH_MAX; n += 1) {
      await again(id);
      await relay(env.context(), losing);
      await age(id);
    }
    await stays(id, "outbox.not_republishable", "spent", /published again 3 times already/);
  });

  it("what is so old that its arrival may be forgotten", async () => {
    const id = await published();
    await env.rows(
      "update onceboard.outbox_history set created_at = created_at - interval '31 days' where id = $1",
      id,
    );
    await stays(id, "outbox.not_republishable", "old", /could be handled twice/);
  });

  it("what is sealed by a key that is gone: nothing is left to send", async () => {
    const id = await published();
    const sealed = await env.base.keyring.sealMessage("acme", id, Buffer.from('{"amount":"1.10"}'));
    await env.rows(
      "update onceboard.outbox_history set payload = jsonb_build_object('onceboard.sealed', $2::text) where id = $1",
      ...[id, sealed.toString("base64")],
    );
    expect((await detail(id)).actions[0]).toMatchObject({ allowed: true });
    await env.rows("update onceboard.data_keys set wrapped = null, destroyed_at = now() where purpose = 'body'");
    env.base.keyring.forget("acme", new Date().toISOString().slice(0, 10));
    await stays(id, "outbox.not_republishable", "no_way", /^Its payload was purged: nothing is left to send\./);
    await env.rows("delete from onceboard.data_keys where purpose = 'body'");
    // What a service wrote in clear may have any members.
    await env.rows(`update onceboard.outbox_history set payload = '{"onceboard.sealed": "~"}' where id = $1`, id);
    expect((await detail(id)).actions[0]).toMatchObject({ allowed: true });
  });

  it("a mail, and what a person closed", async () => {
    const mail = await published({ topic: "mail" });
    await stays(mail, "outbox.not_republishable", "no_way", /would arrive twice/);
    const closed = await published();
    await env.rows(
      "update onceboard.outbox_history set transport = null, published_by = 'operator' where id = $1",
      closed,
    );
    await stays(closed, "outbox.not_republishable", "moved", /it was not sent\./);
  });

  it("what is not published, and what there is not", async () => {
    const waiting = await env.outbox();
    await expect(again(waiting)).rejects.toMatchObject(refusal("outbox.not_republishable", "moved"));
    await env.rows("update onceboard.outbox_messages set state = 'dead' where id = $1", waiting);
    await expect(again(waiting)).rejects.toMatchObject({
      message: expect.stringMatching(/requeue it instead/) as string,
    });
    await expect(again(uuidv7())).rejects.toMatchObject({ code: "outbox.not_found", status: 404 });
  });
});

it("MESSAGE-8 what leaves for somebody else is said not to be known here, and may be published again", async () => {
  const id = await published();
  await env.rows(
    "insert into onceboard.topics (tenant_id, topic, updated_at, updated_by, destination) select tenant_id, topic, now(), 'test', 'https://shop.example/hook' from onceboard.outbox_history where id = $1",
    id,
  );
  try {
    const copy = sent.find((each) => each.id === id);
    if (copy === undefined) throw new Error("not sent");
    await arrive(copy);
    expect((await detail(id)).republishNote).toMatch(/; whether its receiver has it is not known here\.$/);
    await expect(again(id)).resolves.toMatchObject({ answer: { changed: true } });
  } finally {
    await env.rows("delete from onceboard.topics");
  }
});
