import { checkAttachment } from "@/attach/check/check-attachment";
import { openForeign, type Foreign } from "@/attach/connection";
import { clockOf } from "@/attach/check/check-running";
import { ATTACH_SCHEMA } from "@/attach/contract/columns";
import type { AttachManifest } from "@/attach/contract/manifest";
import type { FoundTable } from "@/attach/contract/tables";
import { PRESETS } from "@/attach/presets";
import { guessMap, nameOf, type TableMap } from "@/attach/probe/guess-map";
import { readTables } from "@/attach/probe/read-tables";
import { recognise, type NearMiss, type Recognised } from "@/attach/probe/recognise";
import { readAttachManifest } from "@/attach/read/manifest-of";
import { AppError } from "@/domain/errors";
import { plainText } from "@/domain/plain-text";
import { withTimeout } from "@/domain/with-timeout";
import { requireConfirmation, requirePermission } from "@/engine/actions/require";
import type { EngineContext } from "@/engine/context";
import type { FindingView, GuessView, InstalledView, LookView, RecognisedView } from "@/presentation/views/attachments";
import { readAddress, requireAllowedHost, type DatabaseAddress } from "./attachment-secret";
import { LOOK_MS, MAX_GUESSES, MAX_LOOKS, MAX_TABLES_NAMED } from "./limits";
import { choose } from "./look-choice";
import type { LookRequest } from "./look-request";

const MAX_BECAUSE = 300;
const MAX_VERSION = 20;
const MS_PER_SECOND = 1_000;

export interface LookOptions {
  /** ATTACH_HOSTS. */
  readonly allowedHosts: readonly string[] | undefined;
}

/** Looks at work in this process. */
let looking = 0;

/**
 * Opens a database, says whose tables are there and what could be shown of them, and closes it. Nothing is kept and nothing is changed. It
 * makes this server connect where somebody says, so it asks the permission, and the proof, of attaching.
 *
 * @throws AppError `auth.forbidden` 403, `auth.step_up_required` 403, `validation.attachment_address` 422, `attach.host_not_allowed` 422,
 * `attach.too_many_looks` 503, `attach.unreachable` 502, `attach.superuser` 422
 */
export async function lookAtAddress(
  ctx: EngineContext,
  request: LookRequest,
  { allowedHosts }: LookOptions,
): Promise<LookView> {
  requirePermission(ctx, "attachments.create");
  requireConfirmation(ctx, "attachments.create");
  const address = readAddress(request.url);
  requireAllowedHost(address, allowedHosts);
  return withAddress(address, (foreign) => lookAt(ctx, foreign, address, request));
}

/**
 * Opens the database of an address for as long as `use` takes, and closes it whatever happens.
 *
 * @throws AppError `attach.too_many_looks` 503, `attach.unreachable` 502, `attach.superuser` 422, and what `use` throws of its own
 */
export async function withAddress<Found>(
  address: DatabaseAddress,
  use: (foreign: Foreign) => Promise<Found>,
): Promise<Found> {
  if (looking >= MAX_LOOKS)
    throw new AppError("attach.too_many_looks", 503, "Other databases are being looked at", {
      detail: `At most ${String(MAX_LOOKS)} at once. Nothing was asked; try again in a moment.`,
      retryable: true,
    });
  looking += 1;
  const opened = openForeign(address.url);
  const close = async (): Promise<void> => {
    await opened.then((foreign) => foreign.close()).catch(() => undefined);
    looking -= 1;
  };
  let found: Found;
  try {
    found = await withTimeout(
      opened.then((foreign) => use(foreign)),
      LOOK_MS,
      () => {
        throw unanswered(`it took longer than ${String(LOOK_MS / MS_PER_SECOND)} s`);
      },
    );
  } catch (error) {
    // A statement that goes on beyond our limit ends by its own, and its place is taken until then.
    void close();
    if (error instanceof AppError) throw error;
    throw unanswered(becauseOf(error), error);
  }
  await close();
  return found;
}

function unanswered(because: string, cause?: unknown): AppError {
  return new AppError("attach.unreachable", 502, "The database did not answer", {
    detail: `The database did not answer as it should: ${because}.`,
    retryable: true,
    cause,
  });
}

/** @returns what the driver or the server said, which never holds the password, on one line */
export function becauseOf(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  return plainText(message === "" ? "no reason was given" : message, MAX_BECAUSE).replace(/\.$/, "");
}

async function lookAt(
  ctx: EngineContext,
  foreign: Foreign,
  { shown }: DatabaseAddress,
  request: LookRequest,
): Promise<LookView> {
  const schema = request.schema ?? ATTACH_SCHEMA;
  const tables = await readTables(foreign);
  const probed = recognise(PRESETS, tables);
  const guesses = guessesOf(tables, probed.recognised);
  const [facts] = await foreign.query<{ readonly login: string; readonly server: string; readonly at: Date }>(
    "select session_user as login, current_setting('server_version') as server, clock_timestamp() as at",
  );
  const { login = "", server = "", at = new Date() } = facts ?? {};
  const manifest = await manifestAt(foreign, schema);
  const chosen = await choose(foreign, request, { schema, login, manifest, tables, guesses, ...probed });
  return {
    ...{ at: at.toISOString(), shown, login, tables: tables.length },
    server: plainText(server.split(" ")[0] ?? "", MAX_VERSION),
    recognised: probed.recognised.map(recognisedView),
    nearMisses: probed.nearMisses.slice(0, MAX_GUESSES).map(recognisedView),
    guesses: guesses.map(guessView),
    tableNames: tables.slice(0, MAX_TABLES_NAMED).map(nameOf),
    chosen,
    installed: await installedView(ctx, foreign, schema, manifest),
  };
}

function recognisedView({ preset: { id, title, versions }, schema, because }: Recognised | NearMiss): RecognisedView {
  return { preset: id, title, versions, schema, because };
}

function guessesOf(tables: readonly FoundTable[], recognised: readonly Recognised[]): readonly TableMap[] {
  const taken = new Set(recognised.flatMap((each) => Object.values(each.tables)));
  return tables
    .filter((table) => !taken.has(table))
    .flatMap((table) => guessMap(table) ?? [])
    .slice(0, MAX_GUESSES);
}

function guessView({ because = "", ...map }: TableMap): GuessView {
  const kind = map.keys === undefined ? (map.messages?.kind ?? "outbox") : "keys";
  return { table: map.table, kind, because, map };
}

/** @returns nothing where there is no such schema, or one that does not say what it is */
async function manifestAt(foreign: Foreign, schema: string): Promise<AttachManifest | undefined> {
  try {
    return await readAttachManifest(foreign, schema);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

async function installedView(
  ctx: EngineContext,
  foreign: Foreign,
  schema: string,
  manifest: AttachManifest | undefined,
): Promise<InstalledView> {
  const findings = await checkInstallation(ctx, foreign, schema);
  return { schema, preset: manifest?.preset, findings };
}

/** What a check says; one that cannot be made is itself a finding. */
export async function checkInstallation(
  { db }: Pick<EngineContext, "db">,
  foreign: Foreign,
  schema: string,
): Promise<readonly FindingView[]> {
  try {
    if ((await readAttachManifest(foreign, schema)) === undefined)
      return [{ state: "wrong", text: `There is no schema ${schema} yet: its owner runs the SQL.` }];
    return await checkAttachment(foreign, schema, PRESETS, clockOf(db.pool));
  } catch (error) {
    return [{ state: "wrong", text: `The installation cannot be checked: ${becauseOf(error)}.` }];
  }
}
