import { randomBytes } from "node:crypto";
import pg from "pg";
import { openForeign, type Foreign } from "../connection";
import { ATTACH_SCHEMA } from "../contract/columns";
import type { Preset } from "../contract/preset";
import { installFile } from "../install/install-sql";
import { readTables } from "../probe/read-tables";
import { recognise } from "../probe/recognise";

/** A database of somebody else's on the test server: an owner with tables of a library, and a login for Onceboard. */
export interface ForeignDatabase {
  /** As its owner, who is no superuser. */
  readonly ownerUrl: string;
  /** The login that an installation names. */
  readonly role: string;
  readonly url: string;
  /** As the owner, one statement or many. */
  run<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Runs a statement in a transaction that stays open, as a worker of the library does; the answer ends it. */
  hold(statement: string): Promise<() => Promise<void>>;
  /** As the login of Onceboard. */
  open(): Promise<Foreign>;
  /** Probes, takes the one preset that fits, and runs its file as a database administrator would. */
  install(preset: Preset, constants?: Readonly<Record<string, string>>, acting?: boolean): Promise<void>;
  drop(): Promise<void>;
}

const PREFIX = "onceboard_test_";
const PASSWORD = "only-of-this-test";

/**
 * @param ddl what the library would have made
 * @param server address of a superuser of the server that it is made on; default that of the tests
 */
export async function createForeignDatabase(
  ddl: string,
  server: string = process.env["DATABASE_URL_TEST"] ?? "",
): Promise<ForeignDatabase> {
  const tag = `${Date.now().toString(36)}_${randomBytes(4).toString("hex")}`;
  const [name, owner, role] = [`${PREFIX}${tag}`, `foreign_owner_${tag}`, `onceboard_attach_${tag}`];
  await asSuperuser(server, [
    `create role ${owner} login password '${PASSWORD}'`,
    `create role ${role} login password '${PASSWORD}'`,
    `create database ${name} owner ${owner}`,
  ]);
  const ownerUrl = urlOf(server, name, owner);
  const url = urlOf(server, name, role);
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 4 });
  pool.on("error", () => undefined);
  const opened: Foreign[] = [];
  /** A test that failed in between releases nothing, and a pool waits for every client. */
  const held = new Set<() => Promise<void>>();
  const open = async (): Promise<Foreign> => {
    const foreign = await openForeign(url);
    opened.push(foreign);
    return foreign;
  };
  await pool.query(ddl);
  return {
    ownerUrl,
    role,
    url,
    open,
    async run<Row>(text: string, values: readonly unknown[] = []) {
      const { rows } = await (values.length === 0 ? pool.query(text) : pool.query({ text, values: [...values] }));
      return rows as Row[];
    },
    async hold(statement) {
      const client = await pool.connect();
      await client.query(`begin; ${statement}`);
      const release = async (): Promise<void> => {
        if (!held.delete(release)) return;
        await client.query("commit");
        client.release();
      };
      held.add(release);
      return release;
    },
    async install(preset, constants = {}, acting = true) {
      const foreign = await open();
      const { recognised, nearMisses } = recognise([preset], await readTables(foreign));
      const [found] = recognised;
      if (found === undefined) throw new Error(`Not recognised: ${nearMisses.map(({ because }) => because).join(" ")}`);
      const file = installFile(preset, { schema: ATTACH_SCHEMA, role, tables: found.tables, constants, acting });
      // What makes an index goes outside of a transaction, by itself.
      const [statements = "", indexes = ""] = file.split(/^-- \d\. Index.*$/m);
      await pool.query(statements);
      for (const statement of indexes.split(";")) if (/\bcreate\b/.test(statement)) await pool.query(statement);
    },
    async drop() {
      for (const release of [...held]) await release();
      await Promise.all(opened.map((each) => each.close()));
      await pool.end();
      await asSuperuser(server, [
        `drop database if exists ${name} with (force)`,
        `drop role if exists ${owner}`,
        `drop role if exists ${role}`,
      ]);
    },
  };
}

async function asSuperuser(server: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

function urlOf(server: string, database: string, login: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  url.username = login;
  url.password = PASSWORD;
  return url.href;
}
