import { lookUp } from "@/attach/read/look-up";
import { isPlain } from "@/domain/plain-text";
import { toAppError } from "@/domain/errors";
import { withTimeout } from "@/domain/with-timeout";
import type { EngineContext } from "@/engine/context";
import { SOURCE_FAILURES } from "@/presentation/sources/source-failures";
import { SOURCE_PAGES } from "@/presentation/sources/source-words";
import type { SourceHit, SourceHits } from "@/presentation/views/sources";
import { FIND_LIMIT_MS, FOUND_OF_A_COLUMN } from "./limits";
import { listSources } from "./list-sources";
import { shownRow } from "./shown-row";
import { sourceHead, withSource } from "./with-source";

type Found = Omit<SourceHits, "asked">;

/**
 * Rows of the tenant's attached databases whose id, key or message id is exactly this text. Each database has a short time, and what it
 * could not answer cheaply was not asked and is named.
 *
 * @param text trimmed; one that nothing can be called is not asked
 */
export async function findInSources(ctx: EngineContext, text: string): Promise<SourceHits> {
  const sources = text === "" || !isPlain(text) ? [] : await listSources(ctx);
  const found = await Promise.all(sources.map(async ({ name }) => within(name, findIn(ctx, name, text))));
  return {
    hits: found.flatMap(({ hits }) => hits),
    left: found.flatMap(({ left }) => left),
    asked: sources.length,
  };
}

/** One that is away or slow takes nothing from the others. */
async function within(source: string, work: Promise<Found>): Promise<Found> {
  const nothing = (because: string): Found => ({ hits: [], left: [{ source, because }] });
  try {
    return await withTimeout(work, FIND_LIMIT_MS, () =>
      nothing(`It did not answer within ${String(FIND_LIMIT_MS / 1_000)} seconds.`),
    );
  } catch (error) {
    const { code, message } = toAppError(error);
    return nothing(SOURCE_FAILURES[code]?.title ?? message);
  }
}

async function findIn(ctx: EngineContext, source: string, text: string): Promise<Found> {
  const found = await withSource(ctx, { name: source }, async (open) => {
    const { foreign, row, manifest } = open;
    const hits: SourceHit[] = [];
    const left: { readonly source: string; readonly because: string }[] = [];
    for (const view of sourceHead(ctx, open).views) {
      const looked = await lookUp(foreign, row.installedAs, manifest, view, { text, most: FOUND_OF_A_COLUMN });
      for (const { column, because } of looked.left)
        left.push({ source, because: `${SOURCE_PAGES[view].label}, ${column.replace("_", " ")}: ${because}` });
      for (const each of looked.rows) {
        const { id, place, state, values } = shownRow(view, each);
        const what = values["type"] ?? values["key"];
        hits.push({
          ...{ source, view, id, state },
          label: what?.kind === "text" && what.text !== id ? `${what.text}, ${id}` : id,
          href: `/sources/${source}/${SOURCE_PAGES[view].path}?open=${place}`,
        });
      }
    }
    return { hits, left };
  });
  return found ?? { hits: [], left: [] };
}
