import { deleteWebhookEndpoint, setWebhookEndpointState, updateWebhookEndpoint } from "@/db/webhooks/webhook-endpoints";
import type { ActionOutcome, ActionResult } from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import { operatorAction } from "@/engine/actions/operator-action";
import type { EndpointActionRequest } from "./endpoint-action-request";
import type { NewEndpoint } from "./create-endpoint";
import { requireEndpoint } from "./require-endpoint";

const subjectOf = (id: string) => ({ type: "webhook_endpoint", id });

/**
 * Changes what an endpoint is told and how it is called; its address stays, because its messages are on their way there.
 * @throws AppError `auth.forbidden` 403, `webhook_endpoint.not_found` 404
 */
export function changeEndpoint(
  ctx: EngineContext,
  request: EndpointActionRequest,
  id: string,
  change: Pick<NewEndpoint, "types" | "description">,
): Promise<ActionResult> {
  const { types, description } = change;
  const input = { types: types.join(" "), description };
  return operatorAction(
    ctx,
    { ...request, action: "webhook_endpoints.change", subject: subjectOf(id), input },
    async (tx) => {
      const was = await requireEndpoint(tx, ctx, id);
      const before = { types: was.types, description: was.description };
      if (was.types.join(" ") === input.types && was.description === description) return unchanged(id, before);
      await updateWebhookEndpoint(tx, { tenantId: ctx.tenantId, id, types, description });
      return { changed: true, affected: 1, skipped: [], before, after: { types, description } };
    },
  );
}

/**
 * Disables an endpoint, whose messages then rest, or enables it, and they go on. Events that happen while it is disabled are not
 * kept for it.
 *
 * @throws AppError `auth.forbidden` 403, `webhook_endpoint.not_found` 404
 */
export function setEndpointDisabled(
  ctx: EngineContext,
  request: EndpointActionRequest,
  id: string,
  disabled: boolean,
): Promise<ActionResult> {
  const action = disabled ? "webhook_endpoints.disable" : "webhook_endpoints.enable";
  return operatorAction(ctx, { ...request, action, subject: subjectOf(id), input: {} }, async (tx) => {
    const was = await requireEndpoint(tx, ctx, id);
    const before = { disabled: was.disabled_at !== null };
    if (!(await setWebhookEndpointState(tx, { tenantId: ctx.tenantId, id, disabled }))) return unchanged(id, before);
    return { changed: true, affected: 1, skipped: [], before, after: { disabled } };
  });
}

/**
 * Deletes an endpoint and its secrets. Messages that wait for it become dead letters at their next turn.
 * @throws AppError `auth.forbidden` 403, `webhook_endpoint.not_found` 404
 */
export function deleteEndpoint(ctx: EngineContext, request: EndpointActionRequest, id: string): Promise<ActionResult> {
  return operatorAction(
    ctx,
    { ...request, action: "webhook_endpoints.delete", subject: subjectOf(id), input: {} },
    async (tx) => {
      const was = await requireEndpoint(tx, ctx, id);
      await deleteWebhookEndpoint(tx, ctx.tenantId, id);
      const before = { url: was.url, types: was.types, description: was.description };
      return { changed: true, affected: 1, skipped: [], before, after: {} };
    },
  );
}

function unchanged(id: string, facts: ActionOutcome["before"]): ActionOutcome {
  return {
    changed: false,
    affected: 0,
    skipped: [{ id, why: "It is like that already." }],
    before: facts,
    after: facts,
  };
}
