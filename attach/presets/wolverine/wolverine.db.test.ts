import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readTables } from "../../probe/read-tables";
import { recognise } from "../../probe/recognise";
import { createForeignDatabase, type ForeignDatabase } from "../../testing/foreign-database";
import {
  WOLVERINE_DEAD,
  WOLVERINE_INCOMING,
  WOLVERINE_MOVES_REPLAYABLE,
  WOLVERINE_OUTGOING,
  WOLVERINE_TABLES,
  wolverineId,
  wolverineRows,
} from "./fixtures";
import { wolverine } from "./index";

const TABLES = ["wolverine_incoming_envelopes", "wolverine_outgoing_envelopes", "wolverine_dead_letters"];

let database: ForeignDatabase;

beforeAll(async () => {
  database = await createForeignDatabase(WOLVERINE_TABLES);
  await database.install(wolverine);
});

beforeEach(async () => {
  await database.run(`truncate ${TABLES.map((table) => `wolverine.${table}`).join(", ")}; ${wolverineRows()}`);
});

afterAll(() => database.drop());

const everything = (): Promise<unknown> =>
  Promise.all(TABLES.map((table) => database.run(`select * from wolverine.${table} order by id`)));

describe("each state is shown as it is", () => {
  test.each([
    ["incoming", "in", WOLVERINE_INCOMING],
    ["outgoing", "out", WOLVERINE_OUTGOING],
    ["dead", "dead", WOLVERINE_DEAD],
  ] as const)("%s", async (view, prefix, rows) => {
    const foreign = await database.open();
    expect(await foreign.query(`select id, state from onceboard_attach.${view} order by order_1`)).toEqual(
      rows.map(({ n, state }) => ({ id: `${prefix}:${wolverineId(n)}`, state })),
    );
  });

  test("a node's number, or nobody; an address where one might read a time", async () => {
    const foreign = await database.open();
    expect(await foreign.query("select locked_by, attempts from onceboard_attach.outgoing order by order_1")).toEqual(
      WOLVERINE_OUTGOING.map(({ node, attempts }) => ({ locked_by: node > 0 ? String(node) : null, attempts })),
    );
    expect(
      await foreign.query(
        "select consumer, received_at, raw_state from onceboard_attach.incoming order by order_1 limit 1",
      ),
    ).toEqual([{ consumer: "rabbitmq://queue/orders", received_at: null, raw_state: "Incoming" }]);
  });

  test("a dead letter with what it failed with", async () => {
    const foreign = await database.open();
    expect(
      await foreign.query(
        "select error_type, error_message, first_seen_at, dead_at, attempts, replay_requested from onceboard_attach.dead where id = $1",
        [`dead:${wolverineId(41)}`],
      ),
    ).toEqual([
      {
        error_type: "System.TimeoutException",
        error_message: "too slow",
        first_seen_at: new Date("2026-03-01T12:00:00Z"),
        dead_at: null,
        attempts: null,
        replay_requested: false,
      },
    ]);
  });

  test.each([
    ["in", 1, "0100"],
    ["out", 21, "0200"],
    ["dead", 41, "0300"],
  ])("the payload of %s is bytes", async (prefix, n, hex) => {
    const foreign = await database.open();
    const [payload] = await foreign.query<{ codec: string; body: Buffer }>(
      "select * from onceboard_attach.payload($1)",
      [`${prefix}:${wolverineId(n)}`],
    );
    expect([payload?.codec, payload?.body.toString("hex")]).toEqual(["binary", hex]);
  });
});

describe("acting", () => {
  const dead = `dead:${wolverineId(41)}`;

  test("a dead letter is marked once, nothing else changes, and the agent's statement takes it", async () => {
    const foreign = await database.open();
    const [incoming, outgoing] = (await everything()) as readonly unknown[];
    const both = await Promise.all(
      [1, 2].map(() => foreign.query("select * from onceboard_attach.requeue($1)", [dead])),
    );
    expect(both.flat()).toEqual([{ id: dead, was: "dead", is_now: "replay_requested" }]);
    expect((await everything()) as unknown[]).toEqual([
      incoming,
      outgoing,
      WOLVERINE_DEAD.map(
        ({ n, replayable }) =>
          expect.objectContaining({ id: wolverineId(n), replayable: n === 41 ? true : replayable }) as unknown,
      ),
    ]);
    await database.run(WOLVERINE_MOVES_REPLAYABLE);
    expect(
      await database.run("select status, owner_id from wolverine.wolverine_incoming_envelopes where id = $1", [
        wolverineId(41),
      ]),
    ).toEqual([{ status: "Incoming", owner_id: 0 }]);
  });

  test("a dead letter is discarded once, and no other row", async () => {
    const foreign = await database.open();
    const both = await Promise.all(
      [1, 2].map(() => foreign.query("select * from onceboard_attach.discard($1)", [dead])),
    );
    expect(both.flat()).toEqual([{ id: dead, was: "dead", is_now: "gone" }]);
    expect(await database.run("select id from wolverine.wolverine_dead_letters order by id")).toEqual(
      WOLVERINE_DEAD.filter(({ n }) => n !== 41).map(({ n }) => ({ id: wolverineId(n) })),
    );
    expect(await database.run("select 1 from wolverine.wolverine_incoming_envelopes")).toHaveLength(
      WOLVERINE_INCOMING.length,
    );
  });

  test("one that is still incoming is not marked: it would keep the agent from moving any", async () => {
    const foreign = await database.open();
    const handled = `dead:${wolverineId(7)}`;
    expect(await foreign.query("select * from onceboard_attach.requeue($1)", [handled])).toEqual([]);
    await database.run("update wolverine.wolverine_dead_letters set replayable = true where id = $1", [wolverineId(7)]);
    await expect(database.run(WOLVERINE_MOVES_REPLAYABLE)).rejects.toMatchObject({ code: "23505" });
    await database.run("update wolverine.wolverine_dead_letters set replayable = false where id = $1", [
      wolverineId(7),
    ]);
    await database.run("delete from wolverine.wolverine_incoming_envelopes where id = $1", [wolverineId(7)]);
    expect(await foreign.query("select * from onceboard_attach.requeue($1)", [handled])).toHaveLength(1);
  });

  test("a row that the agent holds is not waited for", async () => {
    const foreign = await database.open();
    const release = await database.hold(
      `select 1 from wolverine.wolverine_dead_letters where id = '${wolverineId(41)}' for update`,
    );
    for (const name of ["requeue", "discard"])
      expect(await foreign.query(`select * from onceboard_attach.${name}($1)`, [dead])).toEqual([]);
    await release();
    expect(await foreign.query("select * from onceboard_attach.discard($1)", [dead])).toHaveLength(1);
  });

  test.each([
    `dead:${wolverineId(43)}`,
    `dead:${wolverineId(44)}`,
    `dead:${wolverineId(99)}`,
    `in:${wolverineId(1)}`,
    `out:${wolverineId(21)}`,
    wolverineId(41),
    "dead:41",
    "dead:'; drop table x; --",
    "",
  ])("%s is not dead, or no row, and nothing changes", async (id) => {
    const foreign = await database.open();
    const before = await everything();
    for (const name of ["requeue", "discard"])
      expect(await foreign.query(`select * from onceboard_attach.${name}($1)`, [id])).toEqual([]);
    expect(await everything()).toEqual(before);
  });
});

test.each([
  "update wolverine.wolverine_dead_letters set replayable = true",
  "delete from wolverine.wolverine_incoming_envelopes",
  "select 1 from wolverine.wolverine_outgoing_envelopes",
  "delete from onceboard_attach.dead",
])("%s is refused", async (statement) => {
  const foreign = await database.open();
  await expect(foreign.query(statement)).rejects.toMatchObject({ code: "42501" });
});

test("one bad row breaks no list", async () => {
  await database.run(
    `insert into wolverine.wolverine_incoming_envelopes values ('${wolverineId(2000)}', '', -1, 'infinity', null, '', '', null, '-infinity');
     insert into wolverine.wolverine_outgoing_envelopes values ('${wolverineId(2000)}', -1, '', 'infinity', '', null, '');
     insert into wolverine.wolverine_dead_letters values ('${wolverineId(2000)}', 'infinity', convert_to(repeat('x', 10000000), 'UTF8'), '', null, null, 'no { json', repeat('x', 10000000), '-infinity', false)`,
  );
  const foreign = await database.open();
  for (const view of ["incoming", "outgoing", "dead"])
    expect(
      await foreign.query(`select * from onceboard_attach.${view} where order_1 = $1`, [wolverineId(2000)]),
    ).toHaveLength(1);
  expect(
    await foreign.query("select length(error_message) as long from onceboard_attach.dead where order_1 = $1", [
      wolverineId(2000),
    ]),
  ).toEqual([{ long: 4_000 }]);
  const [payload] = await foreign.query("select bytes from onceboard_attach.payload($1)", [
    `dead:${wolverineId(2000)}`,
  ]);
  expect(payload).toEqual({ bytes: "10000000" });
});

describe("other shapes", () => {
  test("an inbox with times, dead letters that expire, and an id for each listener", async () => {
    const other = await createForeignDatabase(WOLVERINE_TABLES);
    try {
      await other.run(`alter table wolverine.wolverine_incoming_envelopes add column timestamp timestamptz default '2026-03-01 12:00Z';
        alter table wolverine.wolverine_dead_letters add column expires timestamptz, drop constraint wolverine_dead_letters_pkey;
        ${wolverineRows().replace("values", "(id, status, owner_id, execution_time, attempts, body, message_type, received_at, keep_until) values")}
        update wolverine.wolverine_dead_letters set expires = '2026-04-01 12:00Z';
        insert into wolverine.wolverine_dead_letters select * from wolverine.wolverine_dead_letters where id = '${wolverineId(41)}'`);
      await other.install(wolverine);
      const foreign = await other.open();
      expect(await foreign.query("select received_at from onceboard_attach.incoming limit 1")).toEqual([
        { received_at: new Date("2026-03-01T12:00:00Z") },
      ]);
      expect(await foreign.query("select distinct expires_at from onceboard_attach.dead")).toEqual([
        { expires_at: new Date("2026-04-01T12:00:00Z") },
      ]);
      for (const name of ["requeue", "discard"])
        expect(await foreign.query(`select * from onceboard_attach.${name}($1)`, [`dead:${wolverineId(41)}`])).toEqual(
          [],
        );
    } finally {
      await other.drop();
    }
  });

  test.each([
    ["alter table wolverine.wolverine_dead_letters drop column replayable", "no column replayable"],
    [
      "alter table wolverine.wolverine_incoming_envelopes alter column received_at type timestamptz using null",
      "received_at as timestamp with time zone",
    ],
  ])("%s is a near miss", async (change, because) => {
    const other = await createForeignDatabase(`${WOLVERINE_TABLES} ${change}`);
    try {
      const { recognised, nearMisses } = recognise([wolverine], await readTables(await other.open()));
      expect(recognised).toEqual([]);
      expect(nearMisses[0]?.because).toContain(because);
    } finally {
      await other.drop();
    }
  });
});
