import { randomUUID } from "node:crypto";
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { insertCapRows } from "@/attach/presets/cap/fixtures";
import type { ForeignDatabase } from "@/attach/testing/foreign-database";
import { actOnAttached } from "@/console/attachments/act-on-attached";
import { createAttachment, removeAttachment } from "@/console/attachments/attachment-actions";
import { MAX_ATTACHMENTS, MAX_LOOKS } from "@/console/attachments/limits";
import { readAddress } from "@/console/attachments/attachment-secret";
import { lookAtAddress, withAddress } from "@/console/attachments/look-at-address";
import type { LookRequest } from "@/console/attachments/look-request";
import { closeAttachments, openAttachment } from "@/console/attachments/open-attachment";
import { readAttachments } from "@/console/attachments/read-attachments";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { FOREIGN_PASSWORD, installCap, openCapDatabase } from "../support/cap-database";

const HAND_MADE = `create table public.request_keys (
  idempotency_key text primary key, request_hash text not null, response_status int, response_body jsonb,
  created_at timestamptz not null default now(), completed_at timestamptz)`;

let desk: Desk;
let database: ForeignDatabase;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(async () => {
  await closeAttachments();
  await desk.close();
});
beforeEach(async () => {
  database = await openCapDatabase();
});
afterEach(async () => {
  await closeAttachments();
  await desk.rows("delete from onceboard.attachments");
  await database.drop();
});

const ANY = { allowedHosts: undefined };
const click = (reason = "a test") => ({ idempotencyKey: randomUUID(), receivedAt: performance.now(), reason });
const look = (request: Partial<LookRequest> = {}, options: Parameters<typeof lookAtAddress>[2] = ANY) =>
  lookAtAddress(desk.context("admin"), { url: database.url, ...request }, options);
const attach = (fields: Partial<Parameters<typeof createAttachment>[2]> = {}, options = ANY, origin = click()) =>
  createAttachment(
    desk.context("admin"),
    origin,
    { name: "orders-db", url: database.url, schema: "onceboard_attach", ...fields },
    options,
  );
/** Connections to the foreign database that an attachment, or a look at it, holds. */
const connections = async (): Promise<readonly number[]> => {
  const held = await database.run<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'onceboard attach' and datname = current_database()",
  );
  return held.map(({ pid }) => pid);
};
const zone = { constants: { time_zone: "UTC" } };

describe("ATTACH-3 a look at a database that nobody attached yet", () => {
  it("says whose tables are there, by which columns, and what is stored, derived or not stored of them", async () => {
    const found = await look();
    expect(found.recognised).toMatchObject([{ preset: "cap", schema: "cap" }]);
    expect(found.recognised[0]?.because).toContain("cap.published has");
    expect(found.login).toBe(database.role);
    expect(found.chosen?.lists.map(({ list }) => list)).toEqual(["outgoing", "incoming", "dead"]);
    const facts = found.chosen?.lists[0]?.facts ?? [];
    expect(new Set(facts.map(({ kind }) => kind))).toEqual(new Set(["stored", "derived", "not_stored"]));
    for (const { kind, says } of facts) expect(says === undefined).toBe(kind === "stored");
    expect(found.installed).toMatchObject({
      schema: "onceboard_attach",
      findings: [{ state: "wrong", text: "There is no schema onceboard_attach yet: its owner runs the SQL." }],
    });
    expect((await look({ preset: "river" })).chosen?.problem).toBe("This database has no tables of river.");
  });

  it("asks for what only the owner knows before it shows a row or a statement", async () => {
    const { chosen } = await look();
    expect(chosen?.constants.find(({ name }) => name === "time_zone")?.problem).toContain("time_zone is not given");
    expect(chosen?.sql).toBeUndefined();
    expect(chosen?.lists.map(({ preview }) => preview)).toEqual(
      Array.from({ length: 3 }, () => ({ shown: false, because: "Not shown: say time_zone first." })),
    );
    const wrong = await look({ constants: { time_zone: "1; drop table x" } });
    expect(wrong.chosen?.constants.find(({ name }) => name === "time_zone")?.problem).toBe(
      "time_zone has to be a time zone such as Europe/Berlin.",
    );
  });

  it("writes SQL that the owner can run as it is, and is satisfied then", async () => {
    const { chosen } = await look(zone);
    await database.run(chosen?.sql?.look ?? "");
    await database.run(chosen?.sql?.act ?? "");
    for (const statement of chosen?.sql?.indexes ?? []) await database.run(statement);
    const again = await look(zone);
    expect(again.installed.findings.filter(({ state }) => state !== "ok")).toEqual([]);
    expect(again.chosen?.acts.find(({ act }) => act === "requeue")).toMatchObject({ offered: true });
    const reading = await look({ ...zone, acting: false });
    expect(reading.chosen?.sql?.act).toBe("");
    expect(reading.chosen?.acts.filter(({ offered }) => offered)).toEqual([]);
  });

  it("shows ten newest rows in their states without a payload, by the views or, where it may, by the tables", async () => {
    await insertCapRows(database, "UTC");
    await database.run(`insert into cap.published
      select 1000 + n, 'v1', 'orders.paid', '{"secret": "of-a-payload"}', 0, now() at time zone 'UTC', null, 'Succeeded' from generate_series(1, 12) as n`);
    const denied = (await look(zone)).chosen?.lists[0]?.preview;
    expect(denied).toMatchObject({ shown: false });
    expect(JSON.stringify(denied)).toContain("may not read these tables, and need not");
    const asOwner = await look({ ...zone, url: database.ownerUrl, role: database.role });
    const byTables = asOwner.chosen?.lists[0]?.preview;
    if (byTables?.shown !== true) throw new Error(JSON.stringify(byTables));
    expect(byTables.rows).toHaveLength(10);
    expect(byTables.rows[0]?.values[0]).toBe("out:1012");
    expect(byTables.rows[0]?.state).toBe("sent");
    expect(JSON.stringify(asOwner)).not.toContain("of-a-payload");
    await installCap(database);
    expect((await look(zone)).chosen?.lists[0]?.preview).toEqual(byTables);
  });

  it("maps a table that was made by hand, as it is guessed and as somebody corrects it", async () => {
    await database.run("drop schema cap cascade");
    await database.run(HAND_MADE);
    await database.run("insert into public.request_keys values ('k-1', 'h', 201, '{}', now(), now())");
    const guessed = await look({ url: database.ownerUrl, constants: { stale_after: "15 minutes" } });
    expect(guessed.guesses).toMatchObject([{ table: "public.request_keys", kind: "keys" }]);
    expect(guessed.chosen?.map?.given).toMatchObject({ keys: { key: "idempotency_key", inFlight: "no_response" } });
    expect(guessed.chosen?.lists[0]?.preview).toMatchObject({ shown: true, rows: [{ state: "done" }] });
    const keys = { ...guessed.guesses[0]?.map.keys, fingerprint: "no_such_column" };
    const map = { table: "public.request_keys", keys } as unknown as NonNullable<LookRequest["map"]>;
    const wrong = await look({ map });
    expect(wrong.chosen?.problem).toContain("no_such_column");
    expect(wrong.chosen?.map?.columns.map(({ name }) => name)).toContain("request_hash");
    expect((await look({ map: { table: "public.gone" } })).chosen?.problem).toBe("There is no table public.gone.");
  });

  it("never holds the address, its login's password or a row's payload in what it answers", async () => {
    expect(JSON.stringify(await look(zone))).not.toContain(FOREIGN_PASSWORD);
  });

  it.each([
    ["postgres://somebody:hidden@h/db?host=other", "validation.attachment_address"],
    ["postgres://somebody:hidden@h/db?sslkey=/etc/passwd", "validation.attachment_address"],
    ["postgres://somebody:hidden@h/db?options=-c%20statement_timeout=0", "validation.attachment_address"],
    ["postgres://somebody:hidden@%2Fvar%2Frun/db", "validation.attachment_address"],
    ["postgres://h/db", "validation.attachment_address"],
    ["postgres://somebody:hidden@h/", "validation.attachment_address"],
    ["http://somebody:hidden@h/db", "validation.attachment_address"],
    ["hidden", "validation.attachment_address"],
    ["postgres://somebody:hidden@127.0.0.1:1/db", "attach.unreachable"],
  ])("refuses %s by %s, without repeating its password", async (url, code) => {
    const refused = look({ url });
    await expect(refused).rejects.toMatchObject({ code });
    if (code === "validation.attachment_address") await expect(refused).rejects.toThrow("Nothing was asked.");
    if (url.includes("?")) await expect(refused).rejects.toThrow("After the database it may say sslmode and ");
    await expect(refused).rejects.not.toThrow(/hidden/);
  });

  it("says so where a database breaks off in the middle", async () => {
    const breaksOff = withAddress(readAddress(database.url), (foreign) =>
      foreign.query("select pg_terminate_backend(pg_backend_pid())"),
    );
    await expect(breaksOff).rejects.toMatchObject({
      code: "attach.unreachable",
      message: expect.stringContaining("The database did not answer as it should: ") as string,
    });
  });

  it("connects to no host that ATTACH_HOSTS does not list", async () => {
    const asked: unknown[] = [];
    const server: Server = createServer((socket) => asked.push(socket.destroy()));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `postgres://a:b@127.0.0.1:${String((server.address() as AddressInfo).port)}/db`;
    const allowedHosts = ["orders-db", "127.0.0.1:1"];
    await expect(look({ url }, { allowedHosts })).rejects.toMatchObject({
      code: "attach.host_not_allowed",
      message: expect.stringContaining("is not in ATTACH_HOSTS of this deployment. Nothing was asked.") as string,
    });
    await expect(attach({ url }, { allowedHosts } as never)).rejects.toMatchObject({ code: "attach.host_not_allowed" });
    expect(asked).toEqual([]);
    await expect(look({ url }, { allowedHosts: ["127.0.0.1"] })).rejects.toMatchObject({ code: "attach.unreachable" });
    expect(asked).toHaveLength(1);
    server.close();
    const { hostname, port } = new URL(database.url);
    expect(await look({}, { allowedHosts: [`${hostname}:${port}`] })).toMatchObject({ login: database.role });
  });

  it("does not connect for somebody who may not attach, or has not proved lately who they are", async () => {
    const request = { url: "postgres://a:b@127.0.0.1:1/db" };
    await expect(lookAtAddress(desk.context("operator"), request, ANY)).rejects.toMatchObject({
      code: "auth.forbidden",
    });
    const admin = desk.context("admin");
    const stale = { ...admin, actor: { ...admin.actor, confirmation: { fresh: false, by: [] } } } as typeof admin;
    await expect(lookAtAddress(stale, request, ANY)).rejects.toMatchObject({ code: "auth.step_up_required" });
  });

  it("looks at so many databases at once and no more, and gives each place and connection back", async () => {
    const looks = await Promise.allSettled(Array.from({ length: MAX_LOOKS + 2 }, () => look()));
    const refused = looks.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(2);
    for (const each of refused) expect(each).toMatchObject({ reason: { code: "attach.too_many_looks", status: 503 } });
    expect(await look()).toMatchObject({ login: database.role });
    await expect.poll(connections).toEqual([]);
  });
});

describe("ATTACH-4 attaching and removing", () => {
  it("attaches what was installed, seals the address, and shows that it answers", async () => {
    await installCap(database);
    const origin = click();
    const made = await attach({}, ANY, origin);
    expect(made.answer.after).toMatchObject({ name: "orders-db", preset: "cap", installedAs: "onceboard_attach" });
    expect(await attach({}, ANY, origin)).toMatchObject({ replayed: true });
    const view = await readAttachments(desk.context("viewer"));
    expect(view.attachments).toMatchObject([{ name: "orders-db", library: "CAP", createdBy: "Mira Okafor" }]);
    expect(view.attachments[0]?.unreachable).toBeUndefined();
    expect(view.whyNot).toContain("needs the role admin");
    expect(await openAttachment(desk.context("viewer"), { name: "orders-db" })).toMatchObject({
      manifest: { preset: "cap" },
    });
    const everywhere = await desk.rows(
      `select to_jsonb(a) as row from onceboard.audit_entries as a
       union all select to_jsonb(r) from onceboard.idempotency_requests as r
       union all select to_jsonb(t) from onceboard.attachments as t`,
    );
    const hex = Buffer.from(FOREIGN_PASSWORD).toString("hex");
    for (const secret of [FOREIGN_PASSWORD, hex])
      expect(JSON.stringify([made, view, everywhere])).not.toContain(secret);
    expect(await readAttachments(desk.context("viewer", "globex"))).toMatchObject({ attachments: [] });
  });

  it("says of each that cannot be read why, and shows the others", async () => {
    await installCap(database);
    await attach();
    await attach({ name: "second" });
    await closeAttachments();
    await database.run("drop schema onceboard_attach cascade");
    const { attachments } = await readAttachments(desk.context("viewer"));
    expect(
      attachments.map(({ name, unreachable }) => [
        name,
        unreachable?.includes("that this login can use. Nothing was read."),
      ]),
    ).toEqual([
      ["orders-db", true],
      ["second", true],
    ]);
  });

  it("opens no attachment whose host ATTACH_HOSTS does not list any more, and says so in its list", async () => {
    await installCap(database);
    await attach();
    const { hostname, port } = new URL(database.url);
    const viewer = desk.context("viewer");
    const only = (...attachHosts: string[]) => ({ ...viewer, config: { ...viewer.config, attachHosts } });
    const open = (ctx: typeof viewer) => openAttachment(ctx, { name: "orders-db" });
    expect(await open(only(`${hostname}:${port}`))).toMatchObject({ manifest: { preset: "cap" } });
    // Connections that it has are no way around it.
    const refused = `${hostname}:${port} is not in ATTACH_HOSTS of this deployment. Nothing was asked.`;
    await expect(open(only("other-db"))).rejects.toMatchObject({
      ...{ code: "attach.host_not_allowed", status: 422, message: refused },
    });
    expect((await readAttachments(only("other-db"))).attachments).toMatchObject([{ unreachable: refused }]);
    const act = { ...desk.context("admin"), config: only("other-db").config };
    const { answer } = await attach({ name: "second" });
    await expect(
      actOnAttached(act, click(), answer.subject?.id ?? "", { act: "requeue", row: "out:1" }),
    ).rejects.toMatchObject({
      ...{ code: "dependency.refused", certainty: "definite", message: `${refused} Nothing was changed.` },
    });
    expect(await open(viewer)).toMatchObject({ manifest: { preset: "cap" } });
  });

  it("attaches nothing that is not installed, fails a check, or belongs to a superuser", async () => {
    await expect(attach()).rejects.toMatchObject({
      code: "attach.not_installed",
      message: expect.stringContaining("its owner runs the SQL first. Nothing was attached.") as string,
    });
    await installCap(database);
    await database.run(
      `grant usage on schema cap to ${database.role}; grant update on cap.published to ${database.role}`,
    );
    await expect(attach()).rejects.toMatchObject({ code: "attach.check_failed" });
    const url = process.env["DATABASE_URL_TEST"] ?? "";
    const withPassword = new URL(url);
    withPassword.password ||= "any";
    await expect(attach({ url: withPassword.href })).rejects.toMatchObject({ code: "attach.superuser" });
    await database.run("comment on schema onceboard_attach is 'something else'");
    await expect(attach()).rejects.toMatchObject({ code: "attach.manifest" });
    const [finding] = (await look(zone)).installed.findings;
    expect(finding?.text).toMatch(/^The installation cannot be checked: /);
    expect(await desk.rows("select 1 from onceboard.attachments")).toEqual([]);
  });

  it("keeps names apart and the limit, also of those that are attached at once", async () => {
    await installCap(database);
    const both = await Promise.allSettled([attach(), attach()]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "attachment.name_taken" },
    });
    for (let n = 1; n < MAX_ATTACHMENTS; n += 1) await attach({ name: `db-${String(n)}` });
    await expect(attach({ name: "one-more" })).rejects.toMatchObject({ code: "attachment.limit" });
  });

  it("removes it with its address and its connections, once, and its name is free again", async () => {
    await installCap(database);
    const id = (await attach()).answer.after["id"] as string;
    const others = await connections();
    await readAttachments(desk.context("viewer"));
    const admin = desk.context("admin");
    await expect(removeAttachment(desk.context("admin", "globex"), click(), id)).rejects.toMatchObject({
      code: "attachment.not_found",
    });
    await expect(removeAttachment(desk.context("operator"), click(), id)).rejects.toMatchObject({
      code: "auth.forbidden",
    });
    expect((await removeAttachment(admin, click(), id)).answer.before).toMatchObject({ name: "orders-db" });
    expect(await desk.rows("select sealed from onceboard.attachments")).toEqual([{ sealed: null }]);
    await expect.poll(async () => (await connections()).filter((pid) => !others.includes(pid))).toEqual([]);
    await expect(removeAttachment(admin, click(), id)).rejects.toMatchObject({ code: "attachment.not_found" });
    await attach();
  });
});
