import type { AttachManifest } from "../contract/manifest";
import { quoteName } from "../contract/tables";
import type { Foreign } from "../connection";
import type { AttachFinding } from "./finding";

/** Tables that are named in one finding. */
const MAX_NAMED = 5;

interface Rights {
  readonly login: string;
  readonly creates: boolean;
  readonly writes: readonly string[];
}

/** Whether the login can do what it needs and nothing else. */
export async function checkRights(
  foreign: Foreign,
  schema: string,
  manifest: AttachManifest,
): Promise<readonly AttachFinding[]> {
  const { login, creates, writes } = await readRights(foreign);
  const findings: AttachFinding[] = [];
  if (creates)
    findings.push({
      state: "wrong",
      text: `${login} may make roles or databases.`,
      mend: `alter role ${quoteName(login)} nocreaterole nocreatedb nobypassrls`,
    });
  if (writes.length > 0)
    findings.push({
      state: "wrong",
      text: `${login} may change ${writes.join(", ")}: it needs no right on any table.`,
      mend: writes
        .map((table) => `revoke insert, update, delete, truncate on ${table} from ${quoteName(login)}`)
        .join("; "),
    });
  for (const name of await missingFunctions(foreign, schema, manifest))
    findings.push({
      state: "wrong",
      text: `${login} may not execute ${name}, which was installed for acting.`,
      mend: `grant execute on all functions in schema ${quoteName(schema)} to ${quoteName(login)}`,
    });
  return findings.length > 0
    ? findings
    : [{ state: "ok", text: `${login} may read the views and execute the functions, and nothing else.` }];
}

async function readRights(foreign: Foreign): Promise<Rights> {
  const [role] = await foreign.query<{ readonly login: string; readonly creates: boolean }>(
    "select rolname as login, rolcreaterole or rolcreatedb or rolbypassrls as creates from pg_roles where rolname = session_user",
  );
  const tables = await foreign.query<{ readonly name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v') and n.nspname not in ('pg_catalog', 'information_schema')
        and has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
      order by 1 limit $1`,
    [MAX_NAMED],
  );
  return { login: role?.login ?? "", creates: role?.creates ?? false, writes: tables.map(({ name }) => name) };
}

async function missingFunctions(
  foreign: Foreign,
  schema: string,
  manifest: AttachManifest,
): Promise<readonly string[]> {
  const wanted = Object.entries(manifest.actions)
    .filter(([, action]) => action.offered)
    .map(([name]) => name);
  const rows = await foreign.query<{ readonly name: string }>(
    `select p.proname as name from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace
      where n.nspname = $1 and has_function_privilege(p.oid, 'EXECUTE') and has_schema_privilege(n.oid, 'USAGE') limit 20`,
    [schema],
  );
  const there = new Set(rows.map(({ name }) => name));
  return wanted.filter((name) => !there.has(name));
}
