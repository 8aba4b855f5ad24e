import { VIEW_COLUMNS, type AttachView } from "../contract/columns";
import type { AttachManifest } from "../contract/manifest";
import { MAPPED_PREFIX, MAPPED_REVISION, type Preset } from "../contract/preset";
import { quoteName } from "../contract/tables";
import type { Foreign } from "../connection";
import { MAX_COST } from "../read/explain";
import { listRows, ROWS_PER_PAGE, wayOf } from "../read/list-rows";
import { readAttachManifest } from "../read/manifest-of";
import { checkRights } from "./check-rights";
import { checkClock, checkLoad, MACHINE_CLOCK, type DatabaseClock } from "./check-running";
import type { AttachFinding } from "./finding";

/** A row from later than this, ms, was not written then: its zone is wrong. */
const FUTURE_MS = 10 * 60_000;
const TIME_COLUMN = {
  keys: "created_at",
  outgoing: "created_at",
  incoming: "received_at",
  dead: "first_seen_at",
} as const;

/**
 * Whether an attachment can be used, a finding for each thing that was looked at: the installation, rights, columns, an index for
 * each list, times and states, both clocks, and what our login does there now. It changes nothing.
 *
 * @param clock what theirs is compared with; this machine's by default
 */
export async function checkAttachment(
  foreign: Foreign,
  schema: string,
  presets: readonly Preset[],
  clock: DatabaseClock = MACHINE_CLOCK,
): Promise<readonly AttachFinding[]> {
  const manifest = await readAttachManifest(foreign, schema);
  if (manifest === undefined)
    return [{ state: "wrong", text: `There is no schema ${schema}: run what onceboard attach PRESET --print writes.` }];
  const findings: AttachFinding[] = [
    installation(manifest, presets),
    ...(await checkRights(foreign, schema, manifest)),
    await checkClock(foreign, clock),
    await checkLoad(foreign),
  ];
  const [{ login } = { login: "" }] = await foreign.query<{ readonly login: string }>("select session_user as login");
  for (const view of Object.keys(manifest.views) as AttachView[])
    findings.push(...(await checkView(foreign, schema, manifest, view, login)));
  return findings;
}

function installation(manifest: AttachManifest, presets: readonly Preset[]): AttachFinding {
  const preset = presets.find(({ id }) => id === manifest.preset) ?? mapped(manifest);
  if (preset === undefined)
    return {
      state: "wrong",
      text: `This version knows no preset ${manifest.preset}: use the one that installed it, or newer.`,
    };
  if (preset.revision === manifest.revision)
    return { state: "ok", text: `Installed: ${preset.title} (${preset.versions}).` };
  const older = manifest.revision < preset.revision;
  return {
    state: "wrong",
    text: `Installed by ${older ? "an older" : "a newer"} version: revision ${String(manifest.revision)} of ${preset.title}, this one writes ${String(preset.revision)}.`,
    ...(older ? { mend: printOf(preset.id) } : {}),
  };
}

const printOf = (id: string): string =>
  id.startsWith(MAPPED_PREFIX)
    ? "npx onceboard attach mapped --map FILE --print"
    : `npx onceboard attach ${id} --print`;

interface KnownPreset {
  readonly id: string;
  readonly title: string;
  readonly versions: string;
  readonly revision: number;
}

/** A map that somebody made is in no list: its installation is all that there is to know of it. */
function mapped({ preset: id }: AttachManifest): KnownPreset | undefined {
  if (!id.startsWith(MAPPED_PREFIX)) return undefined;
  return { id, title: id, versions: "as it was mapped", revision: MAPPED_REVISION };
}

async function checkView(
  foreign: Foreign,
  schema: string,
  manifest: AttachManifest,
  view: AttachView,
  login: string,
): Promise<readonly AttachFinding[]> {
  const missing = await missingColumns(foreign, schema, view);
  if (missing.length > 0)
    return [
      {
        state: "wrong",
        text: `${view} lacks ${missing.join(", ")}.`,
        mend: printOf(manifest.preset),
      },
    ];
  let way;
  try {
    way = await wayOf(foreign, schema, view, manifest.views[view]?.order ?? [], ROWS_PER_PAGE);
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    return [
      {
        state: "wrong",
        text: `${view} cannot be read: ${because}.`,
        mend: `grant usage on schema ${quoteName(schema)} to ${quoteName(login)}; grant select on all tables in schema ${quoteName(schema)} to ${quoteName(login)}`,
      },
    ];
  }
  const { cost, scanned } = way.explained;
  const price = `cost ${Math.round(cost).toLocaleString("en")} of at most ${MAX_COST.toLocaleString("en")}`;
  if (cost > MAX_COST)
    return [
      {
        state: "note",
        text: `${view} is not shown: its list would read all of ${scanned.join(" and ")} (${price}).`,
        ...indexFor(manifest),
      },
    ];
  return [
    { state: "ok", text: `${view}: its list is cheap (${price}).` },
    ...(await checkRows(foreign, schema, manifest, view)),
  ];
}

function indexFor(manifest: AttachManifest): { readonly mend?: string } {
  const [first] = manifest.indexes;
  return first === undefined ? {} : { mend: first };
}

async function missingColumns(foreign: Foreign, schema: string, view: AttachView): Promise<readonly string[]> {
  const rows = await foreign.query<{ readonly name: string }>(
    `select a.attname as name from pg_attribute as a join pg_class as c on c.oid = a.attrelid
       join pg_namespace as n on n.oid = c.relnamespace
      where n.nspname = $1 and c.relname = $2 and a.attnum > 0 and not a.attisdropped limit 100`,
    [schema, view],
  );
  const there = new Set(rows.map(({ name }) => name));
  return [...Object.keys(VIEW_COLUMNS[view]), "source", "state", "order_1", "order_2"].filter(
    (name) => !there.has(name),
  );
}

/** What the newest rows say: a time that is still to come, or a state that nobody knows. */
async function checkRows(
  foreign: Foreign,
  schema: string,
  manifest: AttachManifest,
  view: AttachView,
): Promise<readonly AttachFinding[]> {
  const page = await listRows(foreign, schema, manifest, view);
  if (!page.shown) return [];
  const findings: AttachFinding[] = [];
  const [{ now } = { now: new Date() }] = await foreign.query<{ readonly now: Date }>("select now() as now");
  const future = page.rows.find(({ values }) => {
    const time = values[TIME_COLUMN[view]];
    return time instanceof Date && time.getTime() > now.getTime() + FUTURE_MS;
  });
  if (future !== undefined)
    findings.push({
      state: "wrong",
      text: `${view}: ${String(future.values["id"])} is from the future: the time zone given is not the one of these tables.`,
    });
  const unknown = page.rows.filter(({ state }) => state === "unknown");
  if (unknown.length > 0)
    findings.push({
      state: "note",
      text: `${view}: ${String(unknown.length)} of the newest ${String(page.rows.length)} rows are in a state that the preset does not know, such as ${String(unknown[0]?.values["raw_state"])}.`,
    });
  return findings;
}
