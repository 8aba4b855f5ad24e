import { readWithin } from "@/db/bounded-read";
import type { EngineContext } from "@/engine/context";
import type { Deployment } from "@/engine/outbox/topics";
import type { FlowDetail, FlowView, FlowWindow } from "@/presentation/views/flow";
import { readFlow } from "./read-flow";
import { readFlowNode } from "./read-flow-node";

interface FlowPage {
  readonly flow: FlowView;
  /** Of the node that is chosen; undefined where there is no such node. */
  readonly detail: FlowDetail | undefined;
}

/**
 * The flow and what stands beside it of one node, of one moment.
 * @param types of events that an endpoint may want
 * @throws AppError `auth.forbidden` 403, `dependency.timeout` 504
 */
export async function readFlowPage(
  ctx: EngineContext,
  deployment: Deployment,
  { window, node, types }: { window: FlowWindow; node?: string | undefined; types: readonly string[] },
): Promise<FlowPage> {
  return readWithin(ctx.db, "list", async () => {
    const flow = await readFlow(ctx, deployment, { window });
    return { flow, detail: node === undefined ? undefined : await readFlowNode(ctx, deployment, { id: node, types }) };
  });
}
