import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { selectProofInbox } from "@/db/checks/proof-messages";
import { selectAttention } from "@/db/operations/select-attention";
import { selectOperationSparklines } from "@/db/operations/select-operation-sparklines";
import { settlingEvidence } from "@/db/operations/settling-evidence";
import type { MadeOperation } from "@/db/testing/factories/made-operation";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { sealArrival } from "@/engine/inbox/sealed-arrival";
import { sealPayload } from "@/engine/outbox/sealed-payload";
import { readOperation } from "../operations/read-operation";
import { readReferenceFacts } from "../operations/read-reference";
import { readInboxMessage, readOutboxMessage } from "./read-message";

const UNREADABLE = [
  { name: "payload", value: "Nothing can open it: what is stored is not what was sealed.", masked: false },
];
const PURGED = [{ name: "payload", value: "purged", masked: false }];

let desk: Desk;
let made: MadeOperation[];
beforeAll(async () => {
  desk = await openDesk();
  made = [
    await desk.make.unknown({ webhook: "succeeded" }),
    await desk.make.unknown({ webhook: "declined" }),
    await desk.make.unknown(),
    await desk.make.completed(),
  ];
});
afterAll(() => desk.close());

const context = () => {
  const ctx = desk.context();
  return { ...ctx, config: { ...ctx.config, sealPayloads: true } };
};

/** What each reader of an inbox's payload makes of the same rows. */
async function readers() {
  const ctx = context();
  const q = ctx.db.pool;
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const ids = made.map(({ operationId }) => operationId);
  const attention = await selectAttention(q, ctx.tenantId, { limit: 50, asOf: since });
  return {
    attention: attention.map(({ operationId, webhook }) => ({ operationId, webhook })),
    sparklines: await selectOperationSparklines(q, ctx.tenantId, ids, since),
    settling: await Promise.all(ids.map((id) => settlingEvidence(q, ctx.tenantId, id))),
    proofs: await Promise.all(
      made.map(({ operationId, providerKey }) =>
        selectProofInbox(q, { tenantId: ctx.tenantId, operationId }, [], [providerKey], "onceboard"),
      ),
    ),
    webhooks: await Promise.all(ids.map(async (operationId) => (await readOperation(ctx, { operationId }))?.webhooks)),
    references: await Promise.all(
      made.map(async ({ reference }) => (await readReferenceFacts(ctx, { reference }))?.payments),
    ),
  };
}

interface Row {
  readonly id: string;
  readonly payload: unknown;
}
/** As if they had come with SEAL_PAYLOADS. */
async function sealAll(): Promise<void> {
  for (const { id, payload } of await desk.rows<Row>("select id, payload from onceboard.inbox_messages")) {
    const sealed = await sealArrival(context(), id, payload);
    await desk.rows(
      "update onceboard.inbox_messages set payload = $2, document_hash = $3, provider_key = $4, provider_status = $5 where id = $1",
      ...[id, sealed.payload, sealed.documentHash, sealed.providerKey, sealed.providerStatus],
    );
  }
}

describe("arrivals that are sealed, in the console (RETENTION-10)", () => {
  it("say in proofs, evidence, lists and pages what they said in clear; without the key all but a provider's amount", async () => {
    const clear = await readers();
    expect(clear.attention.map(({ webhook }) => webhook ?? "none").sort()).toEqual(["declined", "none", "succeeded"]);
    expect(clear.webhooks.flat()).toMatchObject([
      { says: "succeeded", minor: "4200" },
      { says: "failed", minor: "4200" },
    ]);
    expect(clear.settling.map((each) => [each.webhook_succeeded, each.webhook_failed])).toEqual([
      ...[
        [true, false],
        [false, true],
      ],
      ...[
        [false, false],
        [false, false],
      ],
    ]);
    expect(clear.proofs.flatMap(({ rows }) => rows).filter(({ says }) => says !== undefined)).toHaveLength(2);
    await sealAll();
    expect(await desk.rows("select 1 from onceboard.inbox_messages where payload -> 'data' is not null")).toEqual([]);
    expect(await readers()).toEqual(clear);
    await destroyKeys();
    const purged = await readers();
    expect({ ...purged, webhooks: [], references: [] }).toEqual({ ...clear, webhooks: [], references: [] });
    expect(purged.webhooks).toEqual(
      clear.webhooks.map((facts) => facts?.map(({ minor: _, currency: __, ...fact }) => fact)),
    );
    await desk.rows("delete from onceboard.data_keys where purpose = 'body'");
  });

  it("are opened on their page; then purged, or unreadable in one sentence", async () => {
    const [id = ""] = (await desk.rows<Row>("select id from onceboard.inbox_messages limit 1")).map((row) => row.id);
    const write = async (payload: unknown) => {
      const { payload: sealed, documentHash } = await sealArrival(context(), id, payload);
      await desk.rows(
        "update onceboard.inbox_messages set payload = $2, document_hash = $3 where id = $1",
        ...[id, sealed, documentHash],
      );
    };
    const shown = async () => (await readInboxMessage(context(), { id }))?.payload;
    await write({ type: "charge.succeeded", data: { status: "succeeded", amount: 1.5 } });
    expect(await shown()).toMatchObject([{ name: "type", value: "charge.succeeded" }, {}, {}]);
    await destroyKeys();
    expect(await shown()).toEqual(PURGED);
    await desk.rows("delete from onceboard.data_keys where purpose = 'body'");
    forget();
    for (const broken of ['{"onceboard.sealed": "AgBAAAA="}', '{"onceboard.sealed": "~"}', "null", '{"data": {}}']) {
      await desk.rows("update onceboard.inbox_messages set payload = $2 where id = $1", id, broken);
      expect(await shown()).toEqual(UNREADABLE);
    }
  });

  it("what a service wrote into the outbox as if it were sealed is unreadable on its page", async () => {
    const { messageId: id } = await desk.make.outboxPending();
    const other = await sealPayload(context(), uuidv7(), { a: 1 });
    for (const broken of [{ "onceboard.sealed": "AgBAAAA=" }, other]) {
      await desk.rows("update onceboard.outbox_messages set payload = $2 where id = $1", id, JSON.stringify(broken));
      expect((await readOutboxMessage(context(), { id }))?.envelope).toEqual(UNREADABLE);
    }
  });
});

function forget(): void {
  for (const day of [-1, 0, 1]) {
    const at = new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10);
    desk.context().keyring.forget("acme", at);
  }
}
async function destroyKeys(): Promise<void> {
  await desk.rows("update onceboard.data_keys set wrapped = null, destroyed_at = now() where purpose = 'body'");
  forget();
}
