import { createHash } from "node:crypto";
import { outboxEnvelopes } from "@/db/messages/dead-letter-facts";
import { republishFacts, type RepublishFactsRow } from "@/db/outbox/republish";
import type { Queryable } from "@/db/client";
import { only } from "@/db/query";
import type { RepublishFacts } from "@/domain/messages/republish-verdict";
import { isForeign } from "@/domain/messages/requeue-verdict";
import type { EngineContext } from "@/engine/context";
import { OWN_SOURCE } from "@/engine/inbox/event-source";
import { outboxBody } from "@/engine/outbox/envelope";
import type { Opening } from "@/engine/messages/sealed-message";
import { openPayload } from "@/engine/outbox/sealed-payload";
import { inBatches, messageFacts } from "./dead-letter-facts";

/** Messages whose facts one statement reads. */
const FACTS_BATCH = 1_000;
/** Whole messages that are in memory at once, for their hashes. */
const ENVELOPE_BATCH = 100;
/** In place of a hash: nothing says any more that what arrived under the id was something else. */
const LOST = "lost";

/** Facts of one message, with its row where it is published, and which rows of our inboxes hold it. */
export interface RepublishFactsOf {
  readonly facts: RepublishFacts;
  /** Missing: it is in the outbox. */
  readonly row?: RepublishFactsRow | undefined;
}

/**
 * What {@link import("@/domain/messages/republish-verdict").judgeRepublish} judges, for any number of messages of the outbox in few
 * statements.
 * @returns by id; a message that is gone has none
 */
export async function readRepublishFacts(
  q: Queryable,
  ctx: Pick<EngineContext, "tenantId" | "config" | "keyring">,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RepublishFactsOf>> {
  const { tenantId, config } = ctx;
  const found = new Map<string, RepublishFactsOf>();
  const of = { tenantId, source: OWN_SOURCE, days: config.metadataTtlDays };
  for (const batch of inBatches(ids, FACTS_BATCH)) {
    const rows = await republishFacts(q, of, batch);
    const held = rows.filter(({ holding }) => holding.length > 0).map(({ id }) => id);
    const hashes = await hashesOf(q, ctx, held);
    for (const row of rows) found.set(row.id, { facts: factsOf(row, hashes.get(row.id)), row });
  }
  const rest = ids.filter((id) => !found.has(id));
  for (const [id, { facts }] of await messageFacts(q, ctx, "outbox", rest)) {
    if (facts.side !== "outbox" || facts.state === "published") continue;
    found.set(id, { facts: { ...facts, attempts: 0, recent: false, old: false, purged: false, republished: [] } });
  }
  return found;
}

/** @returns SHA-256 of what each was sent as; `lost` for one that nothing opens */
async function hashesOf(q: Queryable, ctx: Opening, ids: readonly string[]): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const batch of inBatches(ids, ENVELOPE_BATCH)) {
    for (const row of await outboxEnvelopes(q, ctx.tenantId, batch, "outbox_history")) {
      const opened = await openPayload(ctx, row.id, row.payload);
      const body = "lost" in opened ? undefined : outboxBody(ctx.tenantId, { ...row, payload: opened.payload });
      hashes.set(row.id, body === undefined ? LOST : createHash("sha256").update(body).digest("hex"));
    }
  }
  return hashes;
}

function factsOf(row: RepublishFactsRow, hash: string | undefined): RepublishFacts {
  return {
    ...only(
      row,
      "publishedAt",
      "transport",
      "attempts",
      "recent",
      "old",
      "purged",
      "republished",
      "paused",
      "endpoint",
    ),
    side: "outbox",
    state: "published",
    place: row.topic,
    leased: false,
    operationUnknown: row.operationState === "UNKNOWN_REQUIRES_RECOVERY",
    foreign: isForeign(row.topic, row.destination),
    held: row.holding.map(({ id: _, hash: theirs, ...held }) => ({
      ...held,
      samePayload: hash === LOST || theirs === hash,
    })),
  };
}
