import { placementOf } from "@/db/distribute/placement";

/** One statement of a function, or one that the code sends by a name. */
export interface NamedStatement {
  /** Of the function or of the prepared statement. */
  readonly name: string;
  readonly text: string;
  /** Whether whoever calls names a tenant. */
  readonly ofOne: boolean;
}

const REFERENCE =
  /\b(?:from|join|update|using)\s+(?:only\s+)?onceboard\.([a-z_]+)(?!\w)(?!\s*\()(?:\s+(?:as\s+)?(?!(?:set|where|on|for|order|group|limit|using|join|left|cross|inner|values|default|select|returning|union|returns|loop)\b)([a-z_][a-z_0-9]*))?/gi;
const INSERTED = /\binsert\s+into\s+onceboard\.([a-z_]+)(?:\s+(?:as\s+)?[a-z_0-9]+)?\s*\(([^)]*)\)/gi;

/**
 * Which tables of a statement are reached without naming one tenant: the database would ask every node for them.
 *
 * @param tables of the schema
 * @param ofOne false where whoever calls names no tenant, so that the statement is about as many as it likes
 * @returns names of tables, each once
 */
export function tablesOfAllTenants(text: string, tables: ReadonlySet<string>, ofOne = true): string[] {
  const plain = withoutTexts(text);
  const inserted = [...plain.matchAll(INSERTED)].map(([, table = "", columns = ""]) => ({
    table,
    named: /\btenant_id\b/.test(columns),
  }));
  const reached = [...plain.matchAll(REFERENCE)].map(([, table = "", alias]) => ({
    table,
    named: namesTenant(plain, alias),
  }));
  const found = [...inserted, ...reached].filter(
    ({ table, named }) => tables.has(table) && placementOf(table) === "by tenant" && !(named && ofOne),
  );
  return [...new Set(found.map(({ table }) => table))];
}

function namesTenant(text: string, alias: string | undefined): boolean {
  const column = alias === undefined ? "\\btenant_id" : `\\b${alias}\\.tenant_id`;
  return new RegExp(`${column}\\s*=(?!\\s*any)|=\\s*${column}\\b|\\busing\\s*\\(\\s*tenant_id\\b`, "i").test(text);
}

/** Without comments and quoted texts. */
function withoutTexts(text: string): string {
  return text.replace(/--[^\n]*/g, " ").replace(/'(?:[^']|'')*'/g, "''");
}

/** @returns the statements of the body of a function, each with what leads to it */
export function statementsOf({ name, text }: Pick<NamedStatement, "name" | "text">): NamedStatement[] {
  const ofOne = /\bp_tenant\s+text\b/.test(text);
  const body = /\$\$([\s\S]*)\$\$/.exec(text.replace(/--[^\n]*/g, " "))?.[1] ?? text;
  return body
    .split(/;|\bloop\b/i)
    .map((part) => ({ name, ofOne, text: part.trim() }))
    .filter(({ text: part }) => part.length > 0);
}

const CALL = /\bname:\s*"([a-z_0-9]+)",\s*text:\s*(`[^`]*`|"[^"]*")/g;

/** @returns the statements that a source file sends by a name, as far as their texts stand beside it */
export function namedStatementsIn(source: string): NamedStatement[] {
  return [...source.matchAll(CALL)].map(([, name = "", text = ""]) => ({ name, ofOne: true, text: text.slice(1, -1) }));
}
