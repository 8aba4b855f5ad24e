import { ATTACH_SCHEMA, ATTACH_VIEWS, type AttachView } from "../contract/columns";
import { manifestOf } from "../contract/manifest";
import type { Preset, ViewPart } from "../contract/preset";
import { quoteName, quoteText, resolveTables, type FoundTable } from "../contract/tables";
import { constantLiterals, type ConstantValues } from "./constants";
import { actionSql, payloadSql, purgeSql } from "./function-sql";
import { guardSql } from "./guard-sql";
import { viewSql } from "./view-sql";

/** Rights are given on what is in it: it is nobody else's. */
const OWN_SCHEMA = new RegExp(`^${ATTACH_SCHEMA}(_[a-z0-9_]{1,40})?$`);

/** Names stand in comments and in bodies of functions: none may end either. */
const UNSAFE_NAME = /\p{Cc}|\$onceboard\$/u;

export interface InstallOptions {
  /** The schema to be made. */
  readonly schema: string;
  /** The login that Onceboard uses in that database. */
  readonly role: string;
  /** Each table of the preset that is there. */
  readonly tables: Readonly<Partial<Record<string, FoundTable>>>;
  readonly constants: ConstantValues;
  /** Whether the functions that change rows are part of it. */
  readonly acting: boolean;
}

/** The three steps of an installation: what is needed to look, indexes that make it cheap, and what is needed to act. */
export interface InstallSteps {
  readonly look: string;
  readonly index: string;
  readonly act: string;
}

/**
 * The SQL that the owner of a database runs once. It makes one schema, and changes nothing of theirs.
 *
 * @throws Error in one sentence for a constant that is missing or has a value that cannot be, and for a name that cannot stand in a file
 */
export function installSteps(preset: Preset, options: InstallOptions): InstallSteps {
  const { schema, role } = options;
  if (!OWN_SCHEMA.test(schema))
    throw new Error(
      `${schema} cannot be the schema of an attachment: its name is ${ATTACH_SCHEMA}, or begins with ${ATTACH_SCHEMA}_.`,
    );
  for (const { schema: theirs, name: table, columns } of Object.values(options.tables).flatMap((each) => each ?? []))
    for (const each of [theirs, table, role, ...columns.map((column) => column.name)])
      if (UNSAFE_NAME.test(each))
        throw new Error("A name of these tables, or the login, holds what could end a line or a function of the file.");
  const shape = preset.shape({
    tables: resolveTables(preset.tables, options.tables),
    constants: constantLiterals(preset, options.constants),
  });
  const shown = ATTACH_VIEWS.filter((view) => shape.views[view] !== undefined);
  const views = shown.flatMap((view) => {
    const parts = shape.views[view] as readonly ViewPart<AttachView>[] | undefined;
    return parts === undefined ? [] : [viewSql(schema, view, preset.id, parts)];
  });
  const manifest = manifestOf(preset, shape, options.constants, options.acting);
  const name = quoteName(schema);
  const grantee = quoteName(role);
  const look = [
    guardSql(preset, options.tables),
    `create schema if not exists ${name};`,
    ...dropped(name),
    ...views,
    ...(shape.payload.length > 0 ? [payloadSql(schema, shape.payload)] : []),
    `comment on schema ${name} is ${quoteText(JSON.stringify(manifest))};`,
    `revoke all on all functions in schema ${name} from public;`,
    `grant usage on schema ${name} to ${grantee};`,
    ...shown.map((view) => `grant select on ${name}.${view} to ${grantee};`),
    `grant execute on all functions in schema ${name} to ${grantee};`,
  ];
  const { requeue, discard, purge } = shape.actions;
  const functions = [
    ...(requeue === undefined ? [] : [actionSql(schema, "requeue", requeue)]),
    ...(discard === undefined ? [] : [actionSql(schema, "discard", discard)]),
    ...(purge === undefined ? [] : [purgeSql(schema, purge)]),
  ];
  const act = [
    ...functions,
    `revoke all on all functions in schema ${name} from public;`,
    `grant execute on all functions in schema ${name} to ${grantee};`,
  ];
  return {
    look: look.join("\n\n"),
    index: shape.indexes.map(({ says, sql }) => `-- ${says}\n${sql};`).join("\n\n"),
    act: options.acting && functions.length > 0 ? act.join("\n\n") : "",
  };
}

/** What an earlier installation made: a view whose columns changed cannot be replaced, and a function that is not offered any more has to go. */
function dropped(schema: string): readonly string[] {
  return [
    ...ATTACH_VIEWS.map((view) => `drop view if exists ${schema}.${view};`),
    ...["payload(text)", "requeue(text)", "discard(text)", "purge(timestamp with time zone, integer)"].map(
      (name) => `drop function if exists ${schema}.${name};`,
    ),
  ];
}

/** One file of the three steps, with what a database administrator wants to know before running it. */
export function installFile(preset: Preset, options: InstallOptions): string {
  const { look, index, act } = installSteps(preset, options);
  const { schema, role } = options;
  const head = `-- Onceboard over the tables of ${preset.title} (${preset.versions}).
-- Run by the owner of these tables. It makes the schema ${schema} and changes nothing else; "drop schema ${quoteName(schema)} cascade"
-- takes all of it back. While its views are there, a migration that drops or retypes a column they read has to drop them first.
--
-- The login, once, with a password of your choice:
--   create role ${quoteName(role)} login password '…' connection limit 5;
--   alter role ${quoteName(role)} set statement_timeout = '10s';
--   alter role ${quoteName(role)} set default_transaction_read_only = ${act === "" ? "on" : "off"};`;
  return (
    [
      head,
      `-- 1. Look: views, and the right to read them.\n\nbegin;\n\n${look}\n\ncommit;`,
      ...(act === ""
        ? []
        : [`-- 2. Act: guarded functions. Leave this step out for reading only.\n\nbegin;\n\n${act}\n\ncommit;`]),
      ...(index === ""
        ? []
        : [`-- ${act === "" ? "2" : "3"}. Index, outside of a transaction, where the check asks for it.\n\n${index}`]),
    ].join("\n\n") + "\n"
  );
}
