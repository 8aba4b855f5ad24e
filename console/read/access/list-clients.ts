import { KEY_OVERLAP_HOURS, MAX_LIVE_KEYS } from "@/auth/api-keys/api-key-rules";
import { readWithin } from "@/db/bounded-read";
import { selectClientFacts } from "@/db/access/select-client-keys";
import { selectClientMeasures, selectClientNames, selectRefusals } from "@/db/metrics/select-client-measures";
import { selectFrame } from "@/db/metrics/select-series";
import { buildReport, byWorst, CLIENT_WINDOWS, rangeStart } from "@/presentation/client/client-report";
import { clientsVerdict } from "@/presentation/client/client-verdict";
import { CLIENTS_LISTED } from "@/domain/metrics/client-sums";
import { whyNot, WIRE_PROFILES } from "@/domain/access/permission";
import type { ClientChoices, ClientListRow, ClientRange, ClientsView } from "@/presentation/views/clients";
import type { EngineContext } from "@/engine/context";
import { requirePermission, roleOf } from "@/engine/actions/require";

/**
 * One row per client, worst first, out of the roll-ups alone. A name that events know and nobody
 * made a client of has its row too, where it is among the first ones.
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
    const clients = await selectClientFacts(q, ctx.tenantId);
    const first = await selectClientNames(q, ctx.tenantId);
    const ranked = [...new Set([...clients.map(({ name }) => name), ...first.slice(0, CLIENTS_LISTED)])];
    return {
      frame,
      from,
      clients,
      ranked,
      cut: first.length > CLIENTS_LISTED,
      measures: await selectClientMeasures(q, ctx.tenantId, from, ranked),
      refusals: await selectRefusals(q, ctx.tenantId, window),
    };
  });
  const { measures, refusals, cut } = read;
  const known = new Map(read.clients.map((client) => [client.name, client]));
  // Of a name beyond those that were read only refusals would be known: its row would say that it did nothing else.
  const isRead = (name: string): boolean => !cut || read.ranked.includes(name);
  const others = [...measures, ...refusals].map((row) => row.client).filter(isRead);
  const names = new Set([...known.keys(), ...others]);
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
    cut,
    verdict: clientsVerdict(rows, range, cut),
    choices: clientChoices(ctx),
    whyNot: whyNot(roleOf(ctx), "clients.manage"),
  };
}

export function clientChoices({ scopes }: Pick<EngineContext, "scopes">): ClientChoices {
  return { scopes, profiles: WIRE_PROFILES, overlapHours: KEY_OVERLAP_HOURS, maxLiveKeys: MAX_LIVE_KEYS };
}
