import { randomUUID } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readEventSources } from "@/console/read/messages/read-event-sources";
import { ENDPOINT_ORACLE, ENDPOINT_ROWS, endpointQuery } from "@/console/testing/endpoint-oracle";
import {
  type EndpointWorld,
  endpointWorlds,
  type GeneratedEndpoint,
  writeEndpoints,
} from "@/console/testing/endpoint-world";
import { holder } from "@/console/testing/meanings";
import { createEndpoint, deleteEndpoint, rotateSecret, setEndpointDisabled } from "@/console/webhooks/endpoint-actions";
import { readEndpoints } from "@/console/webhooks/read-endpoints";
import { webhookTarget } from "@/db/webhooks/endpoint-facts";
import { holdsFor, propertyTimeout } from "@/db/testing/property-runs";
import type { ActionOrigin } from "@/engine/actions/action-answer";
import { engineContext, type EngineContext } from "@/engine/context";
import { relay } from "@/engine/outbox/relay";
import { createWebhookTransport } from "@/engine/outbox/webhooks/webhook-transport";
import { createEngineTestEnvironment, operator, type EngineTestEnvironment } from "@/engine/testing/environment";
import { everyTopic } from "@/engine/testing/transports";
import {
  endpointLimit,
  endpointWords,
  expireEffect,
  sourceEvidence,
  testWords,
} from "@/presentation/message/endpoint-claims";
import { downWords, endpointsVerdict, isDown, secretsWords } from "@/presentation/message/endpoints-verdict";
import type { WebhookEndpointView, WebhooksView } from "@/presentation/views/webhooks";

const RUNS = 40;
const BUDGET_MS = 4_000;
const TYPES = ["payment.succeeded"];
/** Endpoints that a tenant may have. */
const MOST = 20;

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());

const rows = <R>(text: string, ...values: unknown[]): Promise<R[]> => env.rows<R>(text, ...values);
const as = (tenantId: string): EngineContext =>
  engineContext({ ...env.base, instance: "test-1" }, { tenantId, actor: operator(), requestId: uuidv7() });

const meanings = holder(ENDPOINT_ORACLE);
interface About {
  readonly tenant: string;
  readonly id?: string;
  readonly source?: string;
}
const wrong = ({ tenant, id, source }: About, sentence: string): Promise<string | undefined> =>
  meanings.wrong(sentence, async (sql, captured) => {
    const values = [tenant, id ?? null, captured, source ?? null];
    return (await rows<{ holds: boolean }>(endpointQuery(sql), ...values))[0]?.holds ?? false;
  });

/** What its row and its dialogs say of one endpoint. */
function saidOf(one: WebhookEndpointView, { at, overlapHours }: WebhooksView): readonly string[] {
  const disabled = one.disabled !== undefined;
  const words = endpointWords({ waiting: one.waiting, overlapHours, disabled });
  const secrets = secretsWords(one, at);
  const test = testWords(one);
  return [
    ...(isDown(one) ? downWords(one, at).split(/(?<=\.) /) : []),
    ...(secrets === undefined ? [] : [secrets]),
    disabled ? `Enable: ${words.enable}` : `Disable: ${words.disable}`,
    `Delete: ${words.delete}`,
    words.change,
    test.notOffered === undefined ? `Test: ${test.effect}` : `No test: ${test.notOffered}`,
  ];
}

interface Counted {
  readonly id: string;
  readonly waiting: number;
  readonly dead: number;
  readonly trouble: boolean;
  readonly delivered: number;
  readonly failed: number;
  readonly last: string | null;
  readonly disabled: string | null;
  readonly secrets: readonly string[];
}
/** The same of what the page shows. */
function countedOf({
  id,
  waiting,
  dead,
  lastError,
  day,
  lastDeliveryAt,
  disabled,
  secrets,
}: WebhookEndpointView): Counted {
  return {
    ...{ id, waiting, dead, ...day },
    trouble: lastError !== undefined,
    last: lastDeliveryAt?.slice(0, "2026-11-22T12:00".length) ?? null,
    disabled: disabled === undefined ? null : `${disabled.by ?? ""}: ${disabled.reason ?? ""}`,
    secrets: secrets.map((secret) => secret.id),
  };
}

async function falseSentences(world: EndpointWorld): Promise<readonly string[]> {
  const { tenant } = await writeEndpoints(rows, world);
  const view = await readEndpoints(as(tenant), TYPES);
  const { endpoints, limit } = view;
  expect(endpoints.map(countedOf)).toEqual(await rows<Counted>(ENDPOINT_ROWS, tenant));
  const full = endpointLimit({ count: endpoints.length, limit });
  expect(full !== undefined).toBe(world.endpoints.length >= MOST);
  const found = [];
  for (const text of [...endpointsVerdict(endpoints).map((each) => each.text), ...(full === undefined ? [] : [full])])
    found.push(await wrong({ tenant }, text));
  for (const one of endpoints)
    for (const text of saidOf(one, view)) found.push(await wrong({ tenant, id: one.id }, text));
  for (const { source, last, ended } of (await readEventSources(as(tenant))).secrets)
    if (!ended) found.push(await wrong({ tenant, source }, expireEffect({ source, last })));
  return found.filter((each) => each !== undefined);
}

const FINE: GeneratedEndpoint = {
  ...{ off: "no", circuit: "none", paused: false, secrets: 1, ended: false },
  ...{ waiting: [], dead: 0, delivered: [], failed: [] },
};
const OLD: EndpointWorld["secrets"][number] = { source: "bank", valid: "for hours" };
/** So that each sentence is said. */
const ALWAYS: readonly EndpointWorld[] = [
  { endpoints: [], secrets: [OLD] },
  {
    endpoints: [FINE, { ...FINE, off: "by a person", secrets: 2 }, { ...FINE, off: "by a person", waiting: ["fresh"] }],
    secrets: [
      { ...OLD, source: "provider" },
      { ...OLD, source: "onceboard" },
      { ...OLD, source: "onceboard", valid: "for good" },
    ],
  },
  {
    endpoints: (["due", "later", "testing", "lost"] as const).flatMap((circuit): GeneratedEndpoint[] => [
      { ...FINE, circuit, waiting: ["failed", "fresh"], dead: 1, secrets: 3 },
      { ...FINE, circuit, delivered: [600], failed: [{ age: 600, outcome: "dead" }] },
    ]),
    secrets: [],
  },
  { endpoints: [{ ...FINE, off: "by the service", circuit: "due", waiting: ["failed"] }], secrets: [] },
  { endpoints: Array.from({ length: MOST }, () => FINE), secrets: [] },
];

/** One with messages in a line behind a dead one, as the actions make it. */
async function ofActions(waiting: number): Promise<{ readonly tenant: string; readonly id: string }> {
  const { tenant } = await writeEndpoints(rows, { endpoints: [], secrets: [] });
  const endpoint = { url: `https://shop.example/${randomUUID()}`, types: [], description: "" };
  const { answer } = await createEndpoint(as(tenant), origin(), endpoint, { allowPrivate: false });
  const id = String(answer.after["id"]);
  await rows(
    `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, next_attempt_at, state)
     select $1, gen_random_uuid(), 'webhook:' || $2, 'pay_' || n % 2, 'webhook:' || $2, 'payment.succeeded', '{}', now(), now(),
       case when n = 0 then 'dead' else 'pending' end
     from generate_series(0, $3::int) n order by n`,
    ...[tenant, id, waiting],
  );
  return { tenant, id };
}
const origin = (): ActionOrigin => ({ idempotencyKey: uuidv7(), reason: "the merchant asked", receivedAt: 0 });

/** Everything that is due goes to its endpoint now. */
async function turn(tenant: string): Promise<void> {
  await rows("update onceboard.outbox_messages set next_attempt_at = now() where tenant_id = $1", tenant);
  const transports = everyTopic(createWebhookTransport({ allowPrivate: false }));
  await relay(as(tenant), transports);
  await transports.close();
}
const stateCount = async (tenant: string, where: string): Promise<number> =>
  (await rows(`select 1 from onceboard.outbox_messages where tenant_id = $1 and ${where}`, tenant)).length;

describe("TRUTH-1 every sentence about merchants' endpoints", () => {
  it("holds where it is said, and each is said", { timeout: propertyTimeout() }, async () => {
    for (const each of ALWAYS) expect(await falseSentences(each)).toEqual([]);
    expect(meanings.neverSaid()).toEqual([]);
  });

  it("holds in every state, however deliveries go", { timeout: propertyTimeout(BUDGET_MS) }, async () => {
    await holdsFor(endpointWorlds, { runs: RUNS, budgetMs: BUDGET_MS }, async (each) => {
      expect(await falseSentences(each)).toEqual([]);
    });
  });

  it.each([1, 4])("its dialogs say what then happens to %i that wait", async (waiting) => {
    const { tenant, id } = await ofActions(waiting);
    const words = endpointWords({ waiting, overlapHours: 24, disabled: false });
    const [, kept] = /(\d+) messages? waits? for it now; what is not sent by then waits/.exec(words.disable) ?? [];
    await setEndpointDisabled(as(tenant), origin(), id, true);
    await turn(tenant);
    expect(await stateCount(tenant, "state = 'pending' and attempts_finished = 0")).toBe(Number(kept));
    await setEndpointDisabled(as(tenant), origin(), id, false);
    const [, died] =
      /(\d+) messages? waits? for it now; what is not sent by then becomes a dead letter when its turn comes\.$/.exec(
        words.delete,
      ) ?? [];
    await deleteEndpoint(as(tenant), origin(), id);
    // The turn of what stands in a line comes once the one before it is settled.
    for (let left = waiting; left > 0; left -= 1) {
      await turn(tenant);
      await rows(
        "update onceboard.outbox_messages set state = 'discarded' where tenant_id = $1 and state = 'dead'",
        tenant,
      );
    }
    const letters =
      "select 1 from onceboard.dead_letters where tenant_id = $1 and error_code = 'webhook.endpoint_deleted'";
    expect((await rows(letters, tenant)).length).toBe(Number(died));
  });

  it("a rotation leaves both secrets valid for as long as it says", async () => {
    const { tenant, id } = await ofActions(0);
    const hours = Number(
      /for (\d+) hours, each/.exec(endpointWords({ waiting: 0, overlapHours: 24, disabled: false }).rotate)?.[1],
    );
    await rotateSecret(as(tenant), origin(), id);
    expect((await webhookTarget(env.db.pool, tenant, id))?.secrets).toHaveLength(2);
    const [view] = (await readEndpoints(as(tenant), TYPES)).endpoints;
    const ends = Date.parse(view?.secrets[1]?.expiresAt ?? "") - Date.now();
    expect(Math.round(ends / 3_600_000)).toBe(hours);
    expect(sourceEvidence(hours)).toContain(`valid for another ${String(hours)} hours`);
  });

  it("and a false one is found", async () => {
    const { tenant, ids } = await writeEndpoints(rows, {
      endpoints: [{ ...FINE, circuit: "later", waiting: ["fresh"] }],
      secrets: [OLD, OLD],
    });
    const planted = ["Nothing waits.", "1 disabled.", "The next one is sent as a test.", "2 dead.", "It goes well."];
    for (const sentence of planted) expect(await wrong({ tenant, id: ids[0] ?? "" }, sentence)).toContain(sentence);
    expect(await wrong({ tenant, source: "bank" }, expireEffect({ source: "bank", last: true }))).toContain("not so");
    expect(await wrong({ tenant }, "1 down.")).toBeUndefined();
  });
});
