import { isDeepStrictEqual } from "node:util";
import { PAGE_ROWS } from "@/db/paging";
import { only } from "@/db/query";
import { boundedRead, readWithin } from "@/db/bounded-read";
import {
  PREVIEW_LIMIT,
  RUNS_SORT,
  selectLosingReplay,
  selectPartitionSizes,
  selectRetentionPreview,
  selectRetentionRuns,
} from "@/db/retention/select-retention";
import { selectDataKeys } from "@/db/bodies/data-keys";
import { kindOf } from "@/domain/operation-kind";
import { whyNot } from "@/domain/access/permission";
import type { Page } from "@/presentation/views/common";
import type {
  BodyKeysView,
  RetentionPreview,
  RetentionRunRow,
  RetentionView,
  KeptOtherwise,
} from "@/presentation/views/retention";
import { bodyRetention } from "@/engine/bodies/body-retention";
import { purgeWhyNot } from "@/presentation/retention/purge-claims";
import type { EngineContext } from "@/engine/context";
import { requirePermission, roleOf, seesAllTenants } from "@/engine/actions/require";
import { cutPage, readCursor } from "@/domain/lists/cursor";

const SORT = "runs";

const NOTHING_OLD = { operations: 0, bodyRows: 0, bytes: "0", losingReplay: 0, skippedOpen: 0, mayRunAgain: 0 };

/** What a purge would do now, read only. @throws AppError `auth.forbidden` 403 */
export async function previewRetention(
  ctx: EngineContext,
  _input: Readonly<Record<string, never>> = {},
): Promise<RetentionPreview> {
  requirePermission(ctx, "retention.read");
  const { idempotencyTtlHours, metadataTtlDays } = ctx.config;
  const kept = await keptHours(ctx);
  const read = await boundedRead(ctx.db, "search", (q) => selectRetentionPreview(q, ctx.tenantId, kept));
  const row = read.kind === "done" ? read.value : undefined;
  return {
    at: row?.at ?? new Date().toISOString(),
    bodyTtlHours: kept.bodyTtlHours,
    idempotencyTtlHours,
    metadataTtlDays,
    otherwise: await keptOtherwise(ctx),
    ...NOTHING_OLD,
    ...(row && only(row, "operations", "bodyRows", "bytes", "oldest", "losingReplay", "skippedOpen", "mayRunAgain")),
    atLeast: (row?.looked ?? 0) >= PREVIEW_LIMIT,
    tooBroad: read.kind === "too_broad",
  };
}

/** For how long bodies are kept: of most operations, of those that differ, and of the first that goes. */
async function keptHours(ctx: EngineContext) {
  const { bodyTtlHours, ttls } = await bodyRetention(ctx);
  return { bodyTtlHours, ttls, shortestHours: Math.min(bodyTtlHours, ...Object.values(ttls)) };
}

/** @returns the operations whose times this tenant decided, with all three. */
async function keptOtherwise(ctx: EngineContext): Promise<readonly KeptOtherwise[]> {
  const { config } = ctx;
  const deployed = {
    bodyTtlHours: config.bodyTtlHours,
    ttlHours: config.idempotencyTtlHours,
    metadataTtlDays: config.metadataTtlDays,
  };
  const kinds = await ctx.kinds.all();
  const found: KeptOtherwise[] = [];
  for (const [operation, overrides] of await ctx.policies.overridesOf(ctx.tenantId)) {
    const { bodyTtlHours, ttlHours, metadataTtlDays } = { ...deployed, ...overrides };
    const times = { bodyTtlHours, ttlHours, metadataTtlDays };
    if (!isDeepStrictEqual(times, deployed)) found.push({ operation, kind: kindOf(kinds, operation).label, ...times });
  }
  return found;
}

export async function listRetentionRuns(
  ctx: EngineContext,
  input: { cursor?: string | undefined },
): Promise<Page<RetentionRunRow>> {
  requirePermission(ctx, "retention.read");
  const cursor = readCursor(input.cursor, SORT, RUNS_SORT);
  const found = await readWithin(ctx.db, "list", (q) =>
    selectRetentionRuns(q, ctx.tenantId, { limit: PAGE_ROWS, direction: "desc", cursor }),
  );
  const page = cutPage(found, PAGE_ROWS, cursor, SORT, (row) => ({ value: row.at, id: row.id }));
  return {
    ...page,
    at: new Date().toISOString(),
  };
}

async function bodyKeys(ctx: EngineContext): Promise<BodyKeysView> {
  const { keyStore, wrapsWith } = ctx.keyring;
  // A store that does not answer is none that keys could be in: they are counted as of another one then.
  const id = await keyStore?.id().catch(() => undefined);
  const row = await readWithin(ctx.db, "list", (q) => selectDataKeys(q, ctx.tenantId, wrapsWith, id));
  const none = { live: 0, destroyed: 0, otherEntry: 0, withoutStore: 0, otherStore: 0, waiting: 0 };
  return { store: keyStore?.kind ?? "env", away: keyStore !== undefined && id === undefined, ...none, ...row };
}

/** The first keys that would lose byte-equal replay. */
async function losingKeys(ctx: EngineContext): Promise<RetentionView["losing"]> {
  const kept = await keptHours(ctx);
  const read = await boundedRead(ctx.db, "list", (q) => selectLosingReplay(q, ctx.tenantId, kept));
  if (read.kind === "too_broad") return [];
  const kinds = await ctx.kinds.all();
  return read.value.map(({ operation, ...row }) => ({ ...row, kind: kindOf(kinds, operation).label }));
}

async function tableSizes(ctx: EngineContext): Promise<NonNullable<RetentionView["tables"]>> {
  const read = await boundedRead(ctx.db, "list", (q) => selectPartitionSizes(q));
  if (read.kind === "too_broad") return [];
  return read.value;
}

export async function readRetention(
  ctx: EngineContext,
  input: { cursor?: string | undefined },
): Promise<RetentionView> {
  const preview = await previewRetention(ctx);
  const role = roleOf(ctx);
  const reason = whyNot(role, "retention.run") ?? purgeWhyNot(preview);
  return {
    preview,
    runs: await listRetentionRuns(ctx, input),
    keys: await bodyKeys(ctx),
    losing: preview.losingReplay === 0 ? [] : await losingKeys(ctx),
    tables: seesAllTenants(ctx) ? await tableSizes(ctx) : undefined,
    run: { action: "purge_body", label: "Purge expired bodies", allowed: reason === undefined, whyNot: reason },
  };
}
