import { createHash } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "@/db/client";
import { testCircuit, type CircuitTest } from "@/db/outbox/circuits";
import {
  WEBHOOK_SECRETS_LIMIT,
  webhookEndpointForChange,
  type WebhookEndpointRow,
  webhookTarget,
} from "@/db/webhooks/endpoint-facts";
import {
  addWebhookSecret,
  deleteWebhookEndpoint,
  insertWebhookEndpoint,
  setWebhookEndpointState,
  updateWebhookEndpoint,
} from "@/db/webhooks/webhook-endpoints";
import { AppError } from "@/domain/errors";
import { shownUrl } from "@/domain/messages/shown-url";
import {
  changedOutcome,
  unchangedOutcome,
  type ActionOrigin,
  type ActionOutcome,
  type ActionRequest,
  type ActionResult,
} from "@/engine/actions/action-answer";
import { operatorAction } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";
import { destinationProblem } from "@/engine/outbox/transports/safe-destination";
import { newWebhookSecret } from "@/engine/inbox/event-source";
import { sealEndpointSecret } from "@/engine/outbox/webhooks/endpoint-secret";
import { webhookTopic } from "@/engine/outbox/webhooks/topic";
import { MAX_ENDPOINTS, ROTATION_OVERLAP_HOURS } from "@/engine/outbox/webhooks/limits";

export interface NewEndpoint {
  readonly url: string;
  /** Empty: all. */
  readonly types: readonly string[];
  readonly description: string;
}

/** @property secret shown this once; the same request again gets the same answer without it */
export type EndpointResult = ActionResult & { readonly secret: string | undefined };

const ALREADY = "It is like that already.";

/**
 * Makes an endpoint of this tenant with its first secret.
 * @param options.allowPrivate WEBHOOK_ALLOW_PRIVATE
 * @throws AppError `auth.forbidden` 403, `validation.webhook_url` 422, `webhook_endpoint.exists` 409, `webhook_endpoint.limit`
 * 409
 */
export async function createEndpoint(
  ctx: EngineContext,
  origin: ActionOrigin,
  endpoint: NewEndpoint,
  options: { readonly allowPrivate: boolean },
): Promise<EndpointResult> {
  const { types, description } = endpoint;
  const kept = { id: uuidv7(), url: usableUrl(endpoint.url, options), types, description };
  const shown = { ...kept, url: shownUrl(kept.url) };
  // Receivers put tokens into their addresses: what is kept of the action tells two of them apart, and holds none.
  const digest = createHash("sha256").update(kept.url).digest("base64url");
  const secret = newWebhookSecret();
  const request = {
    ...origin,
    action: "webhook_endpoints.create",
    subject: { type: "webhook_endpoint", id: shown.url },
    input: { url: digest, types: types.join(" "), description },
  } as const;
  const result = await operatorAction(ctx, request, async (tx) => {
    const row = { tenantId: ctx.tenantId, ...kept, createdBy: ctx.actor.name, limit: MAX_ENDPOINTS };
    const made = await insertWebhookEndpoint(tx, row);
    if (made !== "created") throw refusal(made);
    await addSecret(ctx, tx, kept.id, secret);
    return { ...changedOutcome({}, shown), subject: { type: "webhook_endpoint", id: kept.id } };
  });
  return { ...result, secret: result.replayed ? undefined : secret };
}

/**
 * Gives an endpoint a new secret; the ones before stay valid for ROTATION_OVERLAP_HOURS, and every delivery until then carries a
 * signature by each, so a receiver that knows either accepts it.
 * @throws AppError `auth.forbidden` 403, `webhook_endpoint.not_found` 404, `webhook_endpoint.secrets` 409 when several overlap
 * already
 */
export async function rotateSecret(ctx: EngineContext, origin: ActionOrigin, id: string): Promise<EndpointResult> {
  const secret = newWebhookSecret();
  const result = await actOn(ctx, origin, "webhook_endpoints.rotate_secret", id, {}, async (tx) => {
    const secrets = (await webhookTarget(tx, ctx.tenantId, id))?.secrets.length ?? 0;
    if (secrets >= WEBHOOK_SECRETS_LIMIT) {
      throw new AppError("webhook_endpoint.secrets", 409, "The limit of valid secrets is reached", {
        detail: "Nothing was changed. Wait until an older one expires.",
      });
    }
    await addSecret(ctx, tx, id, secret);
    return changedOutcome({ secrets }, { secrets: secrets + 1, overlapHours: ROTATION_OVERLAP_HOURS });
  });
  return { ...result, secret: result.replayed ? undefined : secret };
}

/**
 * Changes what an endpoint gets and how it is called; its address stays, because its messages are on their way there.
 * @throws AppError `auth.forbidden` 403, `webhook_endpoint.not_found` 404
 */
export function changeEndpoint(
  ctx: EngineContext,
  origin: ActionOrigin,
  id: string,
  { types, description }: Pick<NewEndpoint, "types" | "description">,
): Promise<ActionResult> {
  const input = { types: types.join(" "), description };
  return actOn(ctx, origin, "webhook_endpoints.change", id, input, async (tx, was) => {
    const before = { types: was.types, description: was.description };
    if (was.types.join(" ") === input.types && was.description === description)
      return unchangedOutcome(id, ALREADY, before);
    await updateWebhookEndpoint(tx, { tenantId: ctx.tenantId, id, types, description });
    return changedOutcome(before, { types, description });
  });
}

/**
 * Disables an endpoint, whose messages then rest, or enables it, and they go on. Events that happen while it is disabled are not
 * kept for it.
 * @throws AppError as of changeEndpoint
 */
export function setEndpointDisabled(
  ctx: EngineContext,
  origin: ActionOrigin,
  id: string,
  disabled: boolean,
): Promise<ActionResult> {
  const action = disabled ? "webhook_endpoints.disable" : "webhook_endpoints.enable";
  return actOn(ctx, origin, action, id, {}, async (tx, was) => {
    const before = { disabled: was.disabled_at !== null };
    const changed = await setWebhookEndpointState(tx, { tenantId: ctx.tenantId, id, disabled });
    return changed ? changedOutcome(before, { disabled }) : unchangedOutcome(id, ALREADY, before);
  });
}

const UNTESTED: Readonly<Record<Exclude<CircuitTest, "due">, string>> = {
  closed: "It is not down.",
  out: "A test is under way.",
  paused: "Its topic is paused.",
  empty: "No message can be sent there now.",
};

/**
 * Lets the relay send one waiting message to an endpoint that is down at its next turn, as the canary that is due later otherwise. How it
 * ends decides as of every canary.
 * @throws AppError as of changeEndpoint
 */
export function testEndpoint(ctx: EngineContext, origin: ActionOrigin, id: string): Promise<ActionResult> {
  return actOn(ctx, origin, "webhook_endpoints.test", id, {}, async (tx, was) => {
    if (was.disabled_at !== null) return unchangedOutcome(id, "It is disabled.", { due: false });
    const found = await testCircuit(tx, ctx.tenantId, webhookTopic(id));
    return found === "due" ? changedOutcome({ due: false }, { due: true }) : unchangedOutcome(id, UNTESTED[found], {});
  });
}

/**
 * Deletes an endpoint and its secrets. Messages that wait for it become dead letters at their next turn.
 * @throws AppError as of changeEndpoint
 */
export function deleteEndpoint(ctx: EngineContext, origin: ActionOrigin, id: string): Promise<ActionResult> {
  return actOn(ctx, origin, "webhook_endpoints.delete", id, {}, async (tx, { url, types, description }) => {
    await deleteWebhookEndpoint(tx, ctx.tenantId, id);
    return changedOutcome({ url: shownUrl(url), types, description }, {});
  });
}

function actOn(
  ctx: EngineContext,
  origin: ActionOrigin,
  action: ActionRequest["action"],
  id: string,
  input: ActionRequest["input"],
  run: (tx: Queryable, was: WebhookEndpointRow) => Promise<ActionOutcome>,
): Promise<ActionResult> {
  const request = { ...origin, action, subject: { type: "webhook_endpoint", id }, input };
  return operatorAction(ctx, request, async (tx) => {
    const was = await webhookEndpointForChange(tx, ctx.tenantId, id);
    if (was !== undefined) return run(tx, was);
    throw new AppError("webhook_endpoint.not_found", 404, "There is no such endpoint", {
      detail: "Nothing was changed.",
    });
  });
}

async function addSecret(ctx: EngineContext, tx: Queryable, endpointId: string, secret: string): Promise<void> {
  const name = { tenantId: ctx.tenantId, endpointId, secretId: uuidv7() };
  const sealed = sealEndpointSecret(ctx.keyring, name, secret);
  await addWebhookSecret(tx, { ...name, sealed, overlapHours: ROTATION_OVERLAP_HOURS });
}

/** @returns the address in one spelling */
function usableUrl(text: string, options: { readonly allowPrivate: boolean }): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const problem = url === undefined ? "It is not a whole URL." : destinationProblem(url, options);
  if (url === undefined || problem !== undefined) {
    throw new AppError("validation.webhook_url", 422, "Webhooks cannot be sent there", {
      detail: `${problem ?? ""} Nothing was made.`,
    });
  }
  url.hash = "";
  return url.toString();
}

function refusal(why: "exists" | "limit"): AppError {
  return why === "exists"
    ? new AppError("webhook_endpoint.exists", 409, "An endpoint with this address exists already", {
        detail: "Nothing was made. Change the existing one.",
      })
    : new AppError("webhook_endpoint.limit", 409, "The limit of endpoints is reached", {
        detail: `Nothing was made. A tenant has at most ${String(MAX_ENDPOINTS)}; delete one first.`,
      });
}
