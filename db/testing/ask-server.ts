import pg from "pg";

/**
 * One statement on a connection of its own, for tests of servers that come and go.
 * @param url of a role that may do it
 * @throws whatever the server or the connection says
 */
export async function askServer<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  // A server that is killed meanwhile ends the statement, which says so.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}
