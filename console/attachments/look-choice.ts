import type { Foreign } from "@/attach/connection";
import { ATTACH_VIEWS, type AttachView } from "@/attach/contract/columns";
import { manifestOf, type AttachManifest } from "@/attach/contract/manifest";
import type { PresetShape, ViewPart } from "@/attach/contract/preset";
import { resolveTables, type FoundTable } from "@/attach/contract/tables";
import { constantLiterals } from "@/attach/install/constants";
import { installFile, installSteps } from "@/attach/install/install-sql";
import { nameOf, presetOfMap, type PresetOfTables, type TableMap } from "@/attach/probe/guess-map";
import type { NearMiss, Recognised } from "@/attach/probe/recognise";
import { listRows, type AttachedPage } from "@/attach/read/list-rows";
import { PREVIEW_COLUMNS, previewRows } from "@/attach/read/preview";
import { ATTACHED_ACTS } from "@/domain/attachments/acts";
import { plainText } from "@/domain/plain-text";
import type {
  ChosenListView,
  ChosenView,
  ConstantView,
  InstallSqlView,
  PreviewView,
} from "@/presentation/views/attachments";
import { PREVIEW_ROWS } from "./limits";
import type { LookRequest } from "./look-request";

/** What stands in the place of a constant that nobody said yet: facts do not depend on it, rows and SQL do and are not made. */
const PLACEHOLDER = { integer: "1", zone: "UTC", interval: "1 hour", boolean: "false" } as const;
const MAX_CELL = 60;
const DENIED = "42501";

/** What is known of a database when a choice is made. */
export interface Looked {
  /** Of the installation. */
  readonly schema: string;
  readonly login: string;
  readonly manifest: AttachManifest | undefined;
  readonly tables: readonly FoundTable[];
  readonly recognised: readonly Recognised[];
  readonly nearMisses: readonly NearMiss[];
  readonly guesses: readonly TableMap[];
}

type Choice =
  | ({ readonly where: string; readonly map?: TableMap | undefined } & PresetOfTables)
  | {
      readonly where: string;
      readonly map?: TableMap | undefined;
      readonly preset?: undefined;
      readonly problem: string;
    };

/** What can be shown of the tables that were chosen, or of the only ones there are. @returns nothing when nothing is chosen */
export async function choose(foreign: Foreign, request: LookRequest, looked: Looked): Promise<ChosenView | undefined> {
  const choice = choiceOf(request, looked);
  if (choice === undefined) return undefined;
  const map = mapView(choice.map, looked.tables);
  if (choice.preset === undefined) return unusable(choice, map);
  const { preset, tables, where } = choice;
  const constants = constantsOf(preset.constants, request.constants ?? {});
  const missing = constants.filter(({ problem }) => problem !== undefined).map(({ name }) => name);
  const given = Object.fromEntries(
    constants.flatMap(({ name, given: value, problem, kind }) =>
      problem === undefined
        ? value === undefined
          ? []
          : [[name, value] as const]
        : [[name, PLACEHOLDER[kind]] as const],
    ),
  );
  const acting = request.acting ?? true;
  let shape: PresetShape;
  let sql: InstallSqlView | undefined;
  try {
    shape = preset.shape({
      tables: resolveTables(preset.tables, tables),
      constants: constantLiterals(preset, given),
    });
    const options = { schema: looked.schema, role: request.role ?? looked.login, tables, constants: given, acting };
    if (missing.length === 0) sql = sqlOf(installFile(preset, options), installSteps(preset, options), shape);
  } catch (error) {
    return unusable({ ...choice, problem: sentenceOf(error) }, map);
  }
  const manifest = manifestOf(preset, shape, given, acting);
  const lists = await listsOf(foreign, { ...looked, presetId: preset.id, shape, chosen: manifest, missing });
  return {
    ...{ preset: preset.id, title: preset.title, versions: preset.versions, where, map, constants, lists, sql },
    acts: ATTACHED_ACTS.map((act) => {
      const offer = manifest.actions[act];
      return { act, offered: offer.offered, says: offer.offered ? offer.caveat : offer.reason };
    }),
    notes: preset.notes,
  };
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function unusable(
  { where, preset, problem }: { where: string; preset?: PresetOfTables["preset"] | undefined; problem?: string },
  map: ChosenView["map"],
): ChosenView {
  const { id = "", title = where, versions = "" } = preset ?? {};
  return { preset: id, title, versions, where, map, problem, constants: [], lists: [], acts: [], notes: [] };
}

function choiceOf(request: LookRequest, looked: Looked): Choice | undefined {
  const { recognised, guesses, manifest } = looked;
  if (request.map !== undefined) return mapped(request.map, looked);
  if (request.preset !== undefined) {
    const id = request.preset;
    const found = recognised.find(
      ({ preset, schema }) => preset.id === id && (request.in === undefined || schema === request.in),
    );
    if (found !== undefined) return { ...found, where: found.schema };
    const near = looked.nearMisses.find(({ preset }) => preset.id === id);
    return { where: request.in ?? "", problem: near?.because ?? `This database has no tables of ${id}.` };
  }
  const installed = recognised.find(({ preset }) => preset.id === manifest?.preset);
  const only = installed ?? (recognised.length === 1 ? recognised[0] : undefined);
  if (only !== undefined) return { ...only, where: only.schema };
  const [guess] = guesses;
  return recognised.length === 0 && guesses.length === 1 && guess !== undefined ? mapped(guess, looked) : undefined;
}

function mapped(map: TableMap, { tables }: Looked): Choice {
  try {
    return { ...presetOfMap(map, tables), where: map.table, map };
  } catch (error) {
    return { where: map.table, map, problem: sentenceOf(error) };
  }
}

function mapView(map: TableMap | undefined, tables: readonly FoundTable[]): ChosenView["map"] {
  if (map === undefined) return undefined;
  const { because: _, ...given } = map;
  return { given, columns: tables.find((table) => nameOf(table) === map.table)?.columns ?? [] };
}

function constantsOf(
  known: PresetOfTables["preset"]["constants"],
  values: Readonly<Record<string, string>>,
): readonly ConstantView[] {
  return Object.entries(known).map(([name, constant]) => {
    const { kind, says, default: usual } = constant;
    const given = values[name]?.trim() === "" ? undefined : values[name]?.trim();
    let problem: string | undefined;
    try {
      constantLiterals({ title: name, constants: { [name]: constant } }, given === undefined ? {} : { [name]: given });
    } catch (error) {
      problem = sentenceOf(error);
    }
    return { name, kind, says, default: usual, given, problem };
  });
}

function sqlOf(file: string, { look, act }: ReturnType<typeof installSteps>, { indexes }: PresetShape): InstallSqlView {
  const inTransaction = (text: string): string => (text === "" ? "" : `begin;\n\n${text}\n\ncommit;`);
  return {
    file,
    look: inTransaction(look),
    indexes: indexes.map(({ says, sql }) => `-- ${says}\n${sql};`),
    act: inTransaction(act),
  };
}

interface Shaped extends Looked {
  readonly presetId: string;
  readonly shape: PresetShape;
  /** What would be installed. */
  readonly chosen: AttachManifest;
  /** Constants that nobody said yet. */
  readonly missing: readonly string[];
}

async function listsOf(foreign: Foreign, shaped: Shaped): Promise<readonly ChosenListView[]> {
  const lists: ChosenListView[] = [];
  for (const list of ATTACH_VIEWS) {
    const view = shaped.chosen.views[list];
    const parts = shaped.shape.views[list] as readonly ViewPart<AttachView>[] | undefined;
    if (view === undefined || parts === undefined) continue;
    const facts = Object.entries(view.columns).map(([name, column]) => ({
      name,
      kind: column.kind,
      says: column.kind === "derived" ? column.rule : column.kind === "not_stored" ? column.reason : undefined,
    }));
    const stored = new Set(facts.filter(({ kind }) => kind !== "not_stored").map(({ name }) => name));
    const columns = PREVIEW_COLUMNS[list].filter((name) => stored.has(name));
    lists.push({ list, facts, preview: await previewOf(foreign, shaped, { list, parts, columns }) });
  }
  return lists;
}

interface PreviewOf {
  readonly list: AttachView;
  readonly parts: readonly ViewPart<AttachView>[];
  readonly columns: readonly string[];
}

/** By the views that are installed, where they are; else by the statement that stands behind them. */
async function previewOf(foreign: Foreign, shaped: Shaped, { list, parts, columns }: PreviewOf): Promise<PreviewView> {
  const { manifest, missing, schema, presetId, login } = shaped;
  const isInstalled = manifest?.preset === presetId && manifest.views[list] !== undefined;
  if (!isInstalled && missing.length > 0)
    return { shown: false, because: `Not shown: say ${missing.join(" and ")} first.` };
  try {
    const page: AttachedPage = isInstalled
      ? await listRows(foreign, schema, manifest, list, { limit: PREVIEW_ROWS })
      : await previewRows(foreign, list, presetId, parts, { columns, limit: PREVIEW_ROWS });
    if (!page.shown) return page;
    const rows = page.rows.map(({ state, values }) => ({ state, values: columns.map((name) => cellOf(values[name])) }));
    return { shown: true, columns, rows };
  } catch (error) {
    const isDenied = error instanceof Error && "code" in error && error.code === DENIED;
    const because =
      isDenied && !isInstalled
        ? `Not shown: ${login} may not read these tables, and need not. Run the SQL and check again: rows are then read from its views.`
        : `Not shown: ${plainText(sentenceOf(error), 300)}.`;
    return { shown: false, because };
  }
}

function cellOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  return plainText(typeof value === "string" ? value : JSON.stringify(value), MAX_CELL);
}
