import { readEndpoints } from "@/console/webhooks/read-endpoints";
import { readWithin } from "@/db/bounded-read";
import { selectInbox } from "@/db/inbox/select-inbox";
import { selectOutbox } from "@/db/outbox/select-outbox";
import type { MessageSide } from "@/domain/messages/side";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "@/engine/actions/require";
import type { Deployment } from "@/engine/outbox/topics";
import type { FlowDetail } from "@/presentation/views/flow";
import type { PlaceRow } from "@/presentation/views/places";
import { judgedInboxRow, judgedOutboxRow, readDeadFacts } from "./judged-rows";
import { readConsumer } from "./read-consumer";
import { readTopic } from "./read-topic";

/** Dead messages of a node that are judged beside it; its dead letters have all. */
export const DEAD_JUDGED = 10;
const UNFLAGGED = { failing: false, duplicates: false, mismatches: false } as const;

interface NodeInput {
  /** As the flow names it: `topic:payments`. */
  readonly id: string;
  /** Types of events that an endpoint may want. */
  readonly types: readonly string[];
}

/**
 * What may be known and done about one node of the flow: what its own page reads.
 * @returns undefined where there is no such node
 */
export async function readFlowNode(
  ctx: EngineContext,
  deployment: Deployment,
  { id, types }: NodeInput,
): Promise<FlowDetail | undefined> {
  const [, kind = "", name = ""] = /^([a-z]+)(?::(.+))?$/s.exec(id) ?? [];
  if (kind === "operation" || kind === "source" || kind === "outside" || id === "ledger") return { id, dead: [] };
  if (kind === "consumer") {
    const consumer = await readConsumer(ctx, { consumer: name });
    return consumer && { id, row: consumer.row, verdict: consumer.verdict, dead: await deadOf(ctx, consumer.row) };
  }
  if (kind !== "topic" && kind !== "endpoint") return undefined;
  const topic = await readTopic(ctx, deployment, { topic: name });
  if (topic === undefined) return undefined;
  const endpoints = kind === "endpoint" ? await readEndpoints(ctx, types) : undefined;
  const one = endpoints && { ...endpoints, endpoints: endpoints.endpoints.filter((each) => each.topic === name) };
  return {
    ...{ id, row: topic.row, verdict: topic.verdict, topic },
    endpoints: one === undefined || one.endpoints.length === 0 ? undefined : one,
    dead: await deadOf(ctx, topic.row, deployment.fallback),
  };
}

/** The first of what is dead at a place, each with what a requeue would do. */
async function deadOf(
  ctx: EngineContext,
  { side, place, dead }: PlaceRow,
  fallback: Deployment["fallback"] = "http",
): Promise<FlowDetail["dead"]> {
  requirePermission(ctx, `${side satisfies MessageSide}.read`);
  if (dead === 0) return [];
  const page = { limit: DEAD_JUDGED, direction: "asc" } as const;
  return readWithin(ctx.db, "list", async (q) => {
    if (side === "outbox") {
      const rows = await selectOutbox(q, ctx.tenantId, { state: "dead", topic: place, range: "all" }, page, fallback);
      const facts = await readDeadFacts(q, ctx, side, rows);
      return rows.slice(0, DEAD_JUDGED).map((row) => judgedOutboxRow(row, facts, fallback));
    }
    const filters = { states: ["dead"], consumer: place, range: "all", ...UNFLAGGED } as const;
    const rows = await selectInbox(q, ctx.tenantId, filters, page);
    const facts = await readDeadFacts(q, ctx, side, rows);
    return rows.slice(0, DEAD_JUDGED).map((row) => judgedInboxRow(row, facts));
  });
}
