import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openHost, type TestHost } from "@/http/testing/host";
import { personOn, type SignedInPerson } from "@/http/testing/signed-in";
import { openTill, type Till } from "@/http/testing/till";

const reason = "NATS came back without its disk";

let host: TestHost;
let other: Till;
let operator: SignedInPerson;
beforeAll(async () => {
  host = await openHost("hono");
  await openTill(host, ["admin"]);
  other = await openTill(host, ["admin"], host.otherTenant);
  operator = await personOn(host, "operator");
});
afterAll(() => host.close());

/** A message that was acknowledged ten minutes ago. */
async function published(topic = "payments"): Promise<string> {
  const [row] = await host.rows<{ id: string }>(
    `insert into onceboard.outbox_history (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, attempts_started,
       attempts_finished, day, position, published_at, published_by, transport)
     select $1, gen_random_uuid(), 'payment', gen_random_uuid()::text, $2, 'payment.succeeded', '{}', at, 1, 1, (at at time zone 'utc')::date,
       nextval('onceboard.outbox_messages_position_seq'), at, 'relay-1', 'nats'
     from (select greatest(now() - interval '10 minutes', date_trunc('day', now() at time zone 'utc') at time zone 'utc') as at) t returning id`,
    host.tenant,
    topic,
  );
  const id = row?.id ?? "";
  await host.rows("update onceboard.outbox_history set published_at = now() - interval '10 minutes' where id = $1", id);
  return id;
}

it("MESSAGE-8 publishes again over HTTP, once for one key, and says why not", async () => {
  const id = await published();
  for (const role of ["viewer", "auditor", "approver"] as const)
    expect((await (await personOn(host, role))(`/outbox/${id}/republish`, { reason })).status).toBe(403);
  expect((await operator(`/outbox/${id}`)).json).toMatchObject({
    actions: expect.arrayContaining([expect.objectContaining({ action: "republish", allowed: true })]) as unknown,
  });
  expect((await operator(`/outbox/${id}/republish`, {})).status).toBe(422);
  const key = randomUUID();
  const first = await operator(`/outbox/${id}/republish`, { reason }, key);
  expect(first).toMatchObject({ status: 200, json: { changed: true, after: { state: "pending", times: 1 } } });
  const replay = await operator(`/outbox/${id}/republish`, { reason }, key);
  expect(String(replay.headers["idempotent-replayed"])).toBe("true");
  expect(await operator(`/outbox/${id}/republish`, { reason })).toMatchObject({
    status: 409,
    json: { code: "outbox.not_republishable", verdict: "moved" },
  });
  expect((await operator(`/outbox/${randomUUID()}/republish`, { reason })).json).toMatchObject({
    code: "outbox.not_found",
  });
  expect((await other.post(`/admin/outbox/${await published()}/republish`, { reason })).status).toBe(404);
});

it("MESSAGE-8 a plan of published messages takes the list's filters, and no age", async () => {
  const topic = `t-${randomUUID()}`;
  const id = await published(topic);
  await published();
  const plan = (search: string) => operator("/plans", { kind: "republish_messages", search, reason });
  expect(await plan(`?topic=${topic}`)).toMatchObject({ status: 400, json: { code: "validation.filter" } });
  expect(await plan(`?state=published&older=1h`)).toMatchObject({ status: 400, json: { code: "validation.filter" } });
  expect((await operator("/plans", { kind: "republish_messages", filter: {}, reason })).status).toBe(422);
  const made = await plan(`?state=published&topic=${topic}&transport=nats`);
  expect(made).toMatchObject({ status: 200, json: { message: "1 frozen, 1 would act." } });
  const href = String(made.json?.["href"]);
  expect((await operator(href)).json).toMatchObject({
    kind: "republish_messages",
    state: "ready",
    items: { rows: [{ targetId: id, verdict: "lost", label: { messageId: id, transport: "nats" } }] },
  });
});
