import type pg from "pg";
import { askServer } from "./ask-server";

/** Of each distributed table: enough for tenants on both workers, and quickly made. */
const TEST_SHARDS = 4;

interface Node {
  readonly nodename: string;
  readonly nodeport: number;
}

/** Of a server with Citus whose coordinator and workers know each other in its maintenance database; none of any other server. */
async function workersOf(client: pg.ClientBase): Promise<readonly Node[]> {
  const { rows: extensions } = await client.query("select from pg_extension where extname = 'citus'");
  if (extensions.length === 0) return [];
  return (await client.query<Node>("select nodename, nodeport from pg_dist_node where groupid > 0 order by nodeid"))
    .rows;
}

/** The same statement about a database on the server, and on each of its workers where it has some: nodes work together by the names of databases. */
export async function onEachNode(client: pg.ClientBase, server: string, text: string): Promise<void> {
  await client.query(text);
  for (const node of await workersOf(client)) await askServer(nodeUrl(server, node), text);
}

export function dropOnEachNode(client: pg.ClientBase, server: string, database: string): Promise<void> {
  return onEachNode(client, server, `drop database if exists "${database}" with (force)`);
}

/** Makes the nodes of the server those of one of its databases. @returns false where it has none */
export async function joinNodes(client: pg.ClientBase, server: string, database: string): Promise<boolean> {
  const workers = await workersOf(client);
  if (workers.length === 0) return false;
  const url = urlOf(server, database);
  for (const node of workers) await askServer(urlOf(nodeUrl(server, node), database), "create extension citus");
  await askServer(url, "create extension citus");
  const { hostname, port } = new URL(server);
  await askServer(url, "select citus_set_coordinator_host($1, $2)", [hostname, Number(port)]);
  for (const { nodename, nodeport } of workers)
    await askServer(url, "select citus_add_node($1, $2)", [nodename, nodeport]);
  await client.query(`alter database ${database} set citus.shard_count = ${String(TEST_SHARDS)}`);
  return true;
}

/** Ends what Citus runs in a database by itself, so that the database can be copied. */
export async function leaveAlone(client: pg.ClientBase, server: string, database: string): Promise<void> {
  await onEachNode(client, server, `alter database ${database} allow_connections false`);
  await onEachNode(
    client,
    server,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${database}'`,
  );
}

function nodeUrl(server: string, { nodename, nodeport }: Node): string {
  const url = new URL(server);
  url.host = `${nodename}:${String(nodeport)}`;
  return url.href;
}

/** @returns the address of another database of the same server */
export function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.toString();
}
