import type { Preset } from "../contract/preset";
import { isOfFamily, sameName, type FoundTable, type TableSpec } from "../contract/tables";

/** A set of tables that a preset knows, as they stand in one schema. */
export interface Recognised {
  readonly preset: Preset;
  readonly schema: string;
  readonly tables: Readonly<Record<string, FoundTable>>;
  /** Why, in one sentence. */
  readonly because: string;
}

/** Tables with the names of a library and other columns: an older or newer shape than the preset knows. */
export interface NearMiss {
  readonly preset: Preset;
  readonly schema: string;
  /** What is missing or of another type, in one sentence. */
  readonly because: string;
}

export interface Probed {
  readonly recognised: readonly Recognised[];
  readonly nearMisses: readonly NearMiss[];
}

/** Which presets fit which tables, by their columns: names of tables are shared by several libraries. */
export function recognise(presets: readonly Preset[], tables: readonly FoundTable[]): Probed {
  const schemas = [...new Set(tables.map(({ schema }) => schema))];
  const recognised: Recognised[] = [];
  const nearMisses: NearMiss[] = [];
  for (const preset of presets)
    for (const schema of schemas) {
      const here = tables.filter((table) => table.schema === schema);
      const found = match(preset, here);
      if (found !== undefined) recognised.push({ preset, schema, tables: found, because: reasonOf(preset, found) });
      else {
        const because = whyNot(preset, here);
        if (because !== undefined) nearMisses.push({ preset, schema, because });
      }
    }
  return { recognised, nearMisses };
}

/** @returns each table of the preset that is there, or nothing when one that it needs is not */
function match(preset: Preset, here: readonly FoundTable[]): Readonly<Record<string, FoundTable>> | undefined {
  const found: Record<string, FoundTable> = {};
  for (const [name, spec] of Object.entries(preset.tables)) {
    // A table that need not be there is not one that was found already: an archive has the columns of what it archives.
    const taken = spec.optional === true ? Object.values(found) : [];
    const fits = here.filter((table) => !taken.includes(table) && problemsOf(spec, table).length === 0);
    const table = fits.find((each) => sameName(each.name) === sameName(spec.name)) ?? fits[0];
    if (table !== undefined) found[name] = table;
    else if (spec.optional !== true) return undefined;
  }
  return found;
}

/** What keeps a table from being the one of a preset; nothing when it is. */
export function problemsOf(spec: TableSpec, table: FoundTable): readonly string[] {
  const columns = new Map(table.columns.map((column) => [sameName(column.name), column]));
  const missing = Object.entries(spec.needs).flatMap(([name, family]) => {
    const column = columns.get(sameName(name));
    if (column === undefined) return [`no column ${name}`];
    return isOfFamily(column.type, family) ? [] : [`${name} is ${column.type}`];
  });
  const foreign = (spec.not ?? []).filter((name) => columns.has(sameName(name))).map((name) => `a column ${name}`);
  return [...missing, ...foreign];
}

function reasonOf(preset: Preset, found: Readonly<Record<string, FoundTable>>): string {
  const parts = Object.entries(found).map(([name, table]) => {
    const columns = Object.keys(preset.tables[name]?.needs ?? {});
    return `${table.schema}.${table.name} has ${columns.slice(0, -1).join(", ")} and ${columns.at(-1) ?? ""}`;
  });
  return `${parts.join("; ")}.`;
}

/** Of tables that carry the library's name: a sentence. Tables of other names are simply other tables. */
function whyNot(preset: Preset, here: readonly FoundTable[]): string | undefined {
  const sentences = Object.values(preset.tables).flatMap((spec) => {
    const table = here.find((each) => sameName(each.name) === sameName(spec.name));
    const problems = table === undefined ? [] : problemsOf(spec, table);
    const columns = Object.keys(spec.needs).length;
    // Half of the columns: a table called outbox is not everybody's outbox.
    if (table === undefined || problems.length === 0 || problems.length > columns / 2) return [];
    return [`${table.schema}.${table.name} has ${problems.join(", ")}`];
  });
  return sentences.length === 0
    ? undefined
    : `${sentences.join("; ")}: not a shape of ${preset.title} that is known (${preset.versions}).`;
}
