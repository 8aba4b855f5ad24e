import type { Queryable } from "@/db/client";
import { only } from "@/db/query";
import { kindOf } from "@/domain/operation-kind";
import { readWithin } from "@/db/bounded-read";
import { selectClientFacts, selectClientKeys } from "@/db/access/select-client-keys";
import { selectLastHour, selectOneClientMeasures, selectRefusals } from "@/db/metrics/select-client-measures";
import { selectFrame } from "@/db/metrics/select-series";
import { selectConflictGroups } from "@/db/conflicts/select-conflict-groups";
import { EVENTS_SCANNED, selectFastRetries } from "@/db/conflicts/select-key-callers";
import { adviceFor, reportMessage } from "@/presentation/client/client-advice";
import { buildReport, CLIENT_WINDOWS, clientSeries, rangeStart, sumSlots } from "@/presentation/client/client-report";
import { FAST_RETRY_MS } from "@/presentation/client/client-verdict";
import { whyNot } from "@/domain/access/permission";
import type { ClientDetail, ClientKeyView, ClientRange } from "@/presentation/views/clients";
import type { EngineContext } from "@/engine/context";
import { groupView } from "../operations/conflict-groups";
import { requirePermission, roleOf } from "@/engine/actions/require";
import { clientChoices } from "./list-clients";

const HOUR_MS = 3_600_000;

/**
 * The report card of one client and its keys; never a secret.
 * @param input.client its name, as events carry it
 * @returns undefined when nobody made a client of this name and no event knows it
 * @throws AppError `auth.forbidden` 403, `dependency.timeout` 504
 */
export async function readClient(
  ctx: EngineContext,
  input: { readonly client: string; readonly range: ClientRange },
): Promise<ClientDetail | undefined> {
  requirePermission(ctx, "clients.read");
  const { client, range } = input;
  const kinds = await ctx.kinds.all();
  const read = await readWithin(ctx.db, "detail", (q) => readRows(q, ctx.tenantId, client, range));
  const { facts, slots, refusals, frame, from } = read;
  if (facts === undefined && slots.length === 0 && refusals.length === 0) return undefined;
  const { hours, bucketHours } = CLIENT_WINDOWS[range];
  const measures = sumSlots(slots);
  const report = buildReport({ client, registered: facts !== undefined, range, measures, refusals });
  const advice = adviceFor(report);
  return {
    at: frame.at,
    range,
    from,
    rolledUpMs: frame.rolledUpMs,
    report,
    advice,
    message: reportMessage(report, advice, { range, at: frame.at, tenant: ctx.tenantId }),
    bucketHours,
    buckets: Array.from({ length: hours / bucketHours }, (_, index) =>
      new Date(Date.parse(from) + index * bucketHours * HOUR_MS).toISOString(),
    ),
    series: clientSeries(slots, refusals, hours / bucketHours),
    conflicts: read.conflicts.map((group) => groupView(group, kinds)),
    fastRetries: read.fast.map((retry) => ({ ...retry, kind: kindOf(kinds, retry.operation).label })),
    fastLookedAt: EVENTS_SCANNED,
    client: facts && only(facts, "contact", "scopes", "profile", "createdAt"),
    keys: read.keys.map(({ expired, ...row }) => ({ ...row, state: stateOf(row, expired) })),
    lastHour: read.lastHour,
    choices: clientChoices(ctx),
    whyNot: whyNot(roleOf(ctx), "clients.manage"),
  };
}

async function readRows(q: Queryable, tenantId: string, client: string, range: ClientRange) {
  const frame = await selectFrame(q, tenantId);
  const from = rangeStart(frame.at, range);
  const { bucketHours } = CLIENT_WINDOWS[range];
  const [facts] = await selectClientFacts(q, tenantId, client);
  return {
    frame,
    from,
    facts,
    slots: await selectOneClientMeasures(q, tenantId, client, { from, bucketHours }),
    refusals: await selectRefusals(q, tenantId, { from, bucketHours }, client),
    conflicts: await selectConflictGroups(q, tenantId, { from, until: frame.at, open: true }, { client }),
    fast: await selectFastRetries(q, tenantId, client, FAST_RETRY_MS),
    keys: facts === undefined ? [] : await selectClientKeys(q, tenantId, facts.id),
    lastHour: await selectLastHour(q, tenantId, client),
  };
}

function stateOf(
  { revokedAt, expiresAt }: Pick<ClientKeyView, "revokedAt" | "expiresAt">,
  expired: boolean,
): ClientKeyView["state"] {
  if (revokedAt !== undefined) return "revoked";
  if (expiresAt === undefined) return "live";
  return expired ? "ended" : "ending";
}
