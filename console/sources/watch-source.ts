import type { AttachView } from "@/attach/contract/columns";
import { countNewer } from "@/attach/read/count-newer";
import { whyNotFor } from "@/engine/actions/require";
import { AppError, toAppError } from "@/domain/errors";
import type { EngineContext } from "@/engine/context";
import { sourceOfPage } from "@/presentation/list/source-view-page";
import type { SourceNews } from "@/presentation/metrics/live-status";
import { SOURCE_FAILURES } from "@/presentation/sources/source-failures";
import { MAX_WATCHED, NEWER_COUNTED, WATCH_BACKOFF_MS, WATCH_EVERY_MS, WATCHED_FOR_MS } from "./limits";
import { readPlace, requirePlace } from "./source-cursor";
import { insideSource } from "./with-source";

/** A list that is on somebody's screen. */
export interface WatchAsk {
  /** `sources/orders-db/outbox`. */
  readonly page: string;
  /** `place` of the first row on the screen; none: the list was empty. */
  readonly above?: string | undefined;
}

interface Watched {
  readonly name: string;
  readonly view: AttachView;
  readonly above: string | undefined;
  news: SourceNews;
  wantedAt: number;
  readAt: number;
}

/** When an attached database may be asked next. */
interface Turn {
  asking: boolean;
  nextAt: number;
  failures: number;
}

/**
 * Watches lists of attached databases for newer rows, in this process. An answer is what is known now, and waits for nobody: the database is
 * asked behind it, one list at a time, at most once in {@link WATCH_EVERY_MS} whoever looks, less often while it fails, and not at all while
 * nobody looks.
 *
 * @param clock ms that only go forward
 */
export function createSourceWatch(clock: () => number = () => performance.now()) {
  /** By tenant, list and place, the one that was wanted last at the end. */
  const lists = new Map<string, Watched>();
  const turns = new Map<string, Turn>();

  const next = (source: string): Watched | undefined =>
    [...lists]
      .filter(([key, { wantedAt }]) => key.startsWith(`${source} `) && clock() - wantedAt < WATCHED_FOR_MS)
      .map(([, watched]) => watched)
      .toSorted((one, other) => one.readAt - other.readAt)[0];

  const ask = async (ctx: EngineContext, source: string, turn: Turn, watched: Watched): Promise<void> => {
    turn.asking = true;
    try {
      watched.news = await newsOf(ctx, watched);
      turn.failures = 0;
    } catch (error) {
      turn.failures += 1;
      const { code, message } = toAppError(error);
      const away: SourceNews = { kind: "away", because: SOURCE_FAILURES[code]?.title ?? message, at: now() };
      for (const [key, each] of lists) if (key.startsWith(`${source} `)) each.news = away;
      ctx.log.warn({ code, tenantId: ctx.tenantId }, "an attached database was not asked for newer rows");
    }
    watched.readAt = clock();
    turn.asking = false;
    turn.nextAt = clock() + Math.min(WATCH_BACKOFF_MS, WATCH_EVERY_MS * 2 ** turn.failures);
  };

  return {
    /** @returns undefined for what is no list of an attached database, or for who may not look into one */
    news: (ctx: EngineContext, { page, above }: WatchAsk): SourceNews | undefined => {
      const of = sourceOfPage(page);
      if (of === undefined || whyNotFor(ctx, "attachments.read") !== undefined || !isPlace(above, of.view))
        return undefined;
      const source = `${ctx.tenantId} ${of.name}`;
      const key = `${source} ${of.view} ${above ?? ""}`;
      const watched = lists.get(key) ?? { ...of, above, news: { kind: "waiting" }, wantedAt: 0, readAt: -Infinity };
      watched.wantedAt = clock();
      lists.delete(key);
      lists.set(key, watched);
      for (const oldest of lists.keys()) if (lists.size > MAX_WATCHED) lists.delete(oldest);
      const turn = turns.get(source) ?? { asking: false, nextAt: -Infinity, failures: 0 };
      turns.delete(source);
      turns.set(source, turn);
      for (const [oldest, { asking }] of turns) if (turns.size > MAX_WATCHED && !asking) turns.delete(oldest);
      const due = turn.asking || clock() < turn.nextAt ? undefined : next(source);
      if (due !== undefined) void ask(ctx, source, turn, due);
      return watched.news;
    },
  };
}

const now = (): string => new Date().toISOString();

function isPlace(above: string | undefined, view: AttachView): boolean {
  try {
    requirePlace(above, view);
    return true;
  } catch {
    return false;
  }
}

/** Asks one attached database once. @throws AppError those of `insideSource`, `attachment.not_found` once it is removed */
async function newsOf(ctx: EngineContext, { name, view, above }: Watched): Promise<SourceNews> {
  const counted = await insideSource(ctx, { name }, async ({ foreign, row, manifest }) => {
    const types = manifest.views[view]?.order;
    if (types === undefined) return undefined;
    const place = readPlace(above, view, types, ["row"])?.place;
    return countNewer(foreign, row.installedAs, view, types, { above: place, most: NEWER_COUNTED });
  });
  if (counted === undefined) throw new AppError("attachment.not_found", 404, "No such attachment");
  if ("because" in counted) return { kind: "not_watched", because: counted.because };
  return {
    kind: "read",
    newer: Math.min(counted.value, NEWER_COUNTED),
    more: counted.value > NEWER_COUNTED,
    at: now(),
  };
}

/** That of this process. */
export const sourceWatch = createSourceWatch();
