import { KEY_OVERLAP_HOURS, MAX_LIVE_KEYS } from "@/auth/api-keys/api-key-rules";
import { readWithin } from "@/db/bounded-read";
import { selectClientFacts } from "@/db/access/select-client-keys";
import { selectClientMeasures, selectRefusals } from "@/db/metrics/select-client-measures";
import { selectFrame } from "@/db/metrics/select-series";
import { buildReport, byWorst, CLIENT_WINDOWS, rangeStart } from "@/presentation/client/client-report";
import { clientsVerdict } from "@/presentation/client/client-verdict";
import { SCOPES, whyNot, WIRE_PROFILES } from "@/domain/access/permission";
import type { ClientChoices, ClientListRow, ClientRange, ClientsView } from "@/presentation/views/clients";
import type { EngineContext } from "@/engine/context";
import { requirePermission, roleOf } from "@/engine/actions/require";

/**
 * One row per client, worst first, out of the roll-ups alone. A name that events know and nobody
 * made a client of has its row too.
 * @throws AppError `auth.forbidden` 403, `dependency.timeout` 504
 */
export async function listClients(
  ctx: EngineContext,
  { range }: { readonly range: ClientRange },
): Promise<ClientsView> {
  requirePermission(ctx, "clients.read");
  const read = await readWithin(ctx.db, "list", async (q) => {
    const frame = await selectFrame(q, ctx.tenantId);
    const from = rangeStart(frame.at, range);
    const window = { from, bucketHours: CLIENT_WINDOWS[range].hours };
    return {
      frame,
      from,
      measures: await selectClientMeasures(q, ctx.tenantId, from),
      refusals: await selectRefusals(q, ctx.tenantId, window),
      clients: await selectClientFacts(q, ctx.tenantId),
    };
  });
  const { measures, refusals } = read;
  const known = new Map(read.clients.map((client) => [client.name, client]));
  const names = new Set([...known.keys(), ...measures.map((row) => row.client), ...refusals.map((row) => row.client)]);
  const rows = [...names].map((client): ClientListRow => {
    const kept = known.get(client);
    return {
      ...buildReport({ client, registered: kept !== undefined, range, measures, refusals }),
      liveKeys: kept?.liveKeys ?? 0,
      lastUsedAt: kept?.lastUsedAt,
    };
  });
  rows.sort(byWorst);
  return {
    at: read.frame.at,
    range,
    from: read.from,
    rolledUpMs: read.frame.rolledUpMs,
    rows,
    verdict: clientsVerdict(rows, range),
    choices: CLIENT_CHOICES,
    whyNot: whyNot(roleOf(ctx.actor), "clients.manage"),
  };
}

export const CLIENT_CHOICES: ClientChoices = {
  scopes: SCOPES,
  profiles: WIRE_PROFILES,
  overlapHours: KEY_OVERLAP_HOURS,
  maxLiveKeys: MAX_LIVE_KEYS,
};
