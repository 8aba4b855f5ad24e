import { z } from "zod";
import { ATTACH_VIEWS, VIEW_COLUMNS, VIEW_STATES, type AttachView } from "./columns";
import type { ColumnSource, Preset, PresetShape, ViewPart } from "./preset";

const MAX_SENTENCE = 1_000;
const MAX_COLUMNS = 40;
const MAX_STATES = 40;
const sentence = z.string().max(MAX_SENTENCE);

const manifestColumn = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("stored") }),
  z.object({ kind: z.literal("derived"), rule: sentence }),
  z.object({ kind: z.literal("not_stored"), reason: sentence }),
]);

const manifestView = z.object({
  columns: z
    .record(z.string(), manifestColumn)
    .refine((columns) => Object.keys(columns).length <= MAX_COLUMNS, "too many columns"),
  states: z.array(z.object({ state: z.string(), says: sentence })).max(MAX_STATES),
  /** Types of the order columns, which a cursor is cast to. */
  order: z
    .array(z.string().regex(/^[a-z][a-z0-9 ()[\]_]*$/))
    .min(1)
    .max(2),
});

const manifestAction = z.union([
  z.object({ offered: z.literal(true), caveat: sentence.optional() }),
  z.object({ offered: z.literal(false), reason: sentence }),
]);

/** What an installation says of itself, as the comment on its schema: which preset, and what each column is worth. */
export const attachManifest = z.object({
  onceboard: z.literal("attach"),
  preset: z.string().max(100),
  revision: z.int().positive(),
  constants: z.record(z.string(), z.string().max(200)),
  views: z.partialRecord(z.enum(["keys", "outgoing", "incoming", "dead"]), manifestView),
  /** Statements that make lists cheap and that the library does not bring. */
  indexes: z.array(z.string().max(2_000)).max(20),
  actions: z.object({ requeue: manifestAction, discard: manifestAction, purge: manifestAction }),
});

export type AttachManifest = z.infer<typeof attachManifest>;
type ManifestView = z.infer<typeof manifestView>;

/** Of an action that nobody thought about; a preset gives a reason of its own. */
const NOT_INSTALLED = "The functions that change rows are not installed.";

/**
 * What the installation of a preset will say of itself.
 *
 * @param constants the values as they were given, by name
 * @param acting whether the functions that change rows are installed too
 */
export function manifestOf(
  preset: Pick<Preset, "id" | "revision">,
  shape: PresetShape,
  constants: Readonly<Record<string, string>>,
  acting: boolean,
): AttachManifest {
  const views: Partial<Record<AttachView, ManifestView>> = {};
  for (const view of ATTACH_VIEWS) {
    const parts = shape.views[view];
    if (parts !== undefined) views[view] = manifestViewOf(view, parts);
  }
  const action = (name: "requeue" | "discard" | "purge") => {
    if (shape.actions[name] === undefined)
      return { offered: false as const, reason: shape.unsafe[name] ?? "No safe statement is known for these tables." };
    if (!acting) return { offered: false as const, reason: NOT_INSTALLED };
    const caveat = shape.caveats?.[name];
    return caveat === undefined ? { offered: true as const } : { offered: true as const, caveat };
  };
  return {
    onceboard: "attach",
    preset: preset.id,
    revision: preset.revision,
    constants: { ...constants },
    views,
    indexes: shape.indexes.map(({ sql }) => sql),
    actions: { requeue: action("requeue"), discard: action("discard"), purge: action("purge") },
  };
}

function manifestViewOf(view: AttachView, parts: readonly ViewPart<AttachView>[]): ManifestView {
  const names = Object.keys(VIEW_COLUMNS[view]);
  const columns = Object.fromEntries(
    names.map((name) => [name, weakest(parts.map((part) => (part.columns as Record<string, ColumnSource>)[name]))]),
  );
  const states = new Map<string, string>();
  for (const { state, says } of parts.flatMap((part) => part.states)) if (!states.has(state)) states.set(state, says);
  const order = (parts[0]?.order ?? []).map(({ type }) => type);
  const known: readonly string[] = VIEW_STATES[view];
  return {
    columns,
    states: [...states].filter(([state]) => known.includes(state)).map(([state, says]) => ({ state, says })),
    order,
  };
}

/** Of several tables behind one view a column is worth what it is worth in the one that says least. */
function weakest(sources: readonly (ColumnSource | undefined)[]): z.infer<typeof manifestColumn> {
  const missing = sources.find((source) => source?.kind === "not_stored");
  if (missing?.kind === "not_stored" && sources.every((source) => source?.kind === "not_stored"))
    return { kind: "not_stored", reason: missing.reason };
  if (missing?.kind === "not_stored") return { kind: "derived", rule: `Not of every row: ${missing.reason}` };
  const rule = sources.find((source) => source?.kind === "derived");
  return rule?.kind === "derived" ? { kind: "derived", rule: rule.rule } : { kind: "stored" };
}
