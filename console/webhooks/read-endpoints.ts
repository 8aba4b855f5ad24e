import { selectOpenPlaces } from "@/db/messages/select-places";
import { selectWebhookEndpoints, type WebhookEndpointListRow } from "@/db/webhooks/select-webhook-endpoints";
import { readWithin } from "@/db/bounded-read";
import { shownUrl } from "@/domain/messages/shown-url";
import { shownName } from "@/domain/plain-text";
import { whyNot } from "@/domain/access/permission";
import type { WebhookEndpointView, WebhooksView } from "@/presentation/views/webhooks";
import type { EngineContext } from "@/engine/context";
import { requirePermission, roleOf } from "@/engine/actions/require";
import { MAX_ENDPOINTS, ROTATION_OVERLAP_HOURS } from "@/engine/outbox/webhooks/limits";

/**
 * The tenant's endpoints and how their deliveries go; never a secret.
 * @param types event types that an endpoint may subscribe to
 * @throws AppError `auth.forbidden` 403
 */
export async function readEndpoints(ctx: EngineContext, types: readonly string[]): Promise<WebhooksView> {
  requirePermission(ctx, "webhook_endpoints.read");
  const { rows, open } = await readWithin(ctx.db, "list", async (q) => {
    const rows = await selectWebhookEndpoints(q, ctx.tenantId, MAX_ENDPOINTS);
    const topics = rows.map(({ topic }) => topic);
    return { rows, open: await selectOpenPlaces(q, ctx.tenantId, "outbox", topics) };
  });
  const openOf = new Map(open.map((row) => [row.place, row]));
  return {
    at: new Date().toISOString(),
    endpoints: rows.map((row) => endpointView(row, openOf.get(row.topic))),
    limit: MAX_ENDPOINTS,
    types,
    overlapHours: ROTATION_OVERLAP_HOURS,
    whyNot: whyNot(roleOf(ctx), "webhook_endpoints.create"),
  };
}

/** @param topic what is open there, as the topics count it */
function endpointView(
  row: WebhookEndpointListRow,
  { waiting = 0, dead = 0 }: Partial<Pick<WebhookEndpointView, "waiting" | "dead">> = {},
): WebhookEndpointView {
  const { disabledAt: at, disabledBy: by, disabledReason: reason, delivered, failed, ...open } = row;
  const { downSince: since, canaryAt: nextTryAt, testing, failures = 0, downError: error, ...shown } = open;
  return {
    ...shown,
    url: shownUrl(shown.url),
    description: shownName(shown.description),
    ...{ waiting, dead },
    disabled: at === undefined ? undefined : { at, by, reason },
    down: since === undefined || nextTryAt === undefined ? undefined : { since, nextTryAt, testing, failures, error },
    day: { delivered, failed },
  };
}
