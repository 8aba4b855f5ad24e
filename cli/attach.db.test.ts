import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CAP_TABLES } from "@/attach/presets/cap/fixtures";
import { createForeignDatabase, type ForeignDatabase } from "@/attach/testing/foreign-database";

const run = promisify(execFile);

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly said: string;
}

let database: ForeignDatabase;

beforeAll(async () => {
  database = await createForeignDatabase(CAP_TABLES);
});

afterAll(() => database.drop());

async function attach(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  try {
    const { stdout, stderr } = await run(process.execPath, ["--import", "tsx", "cli/attach.ts", ...args], {
      env: { ...process.env, ...env },
    });
    return { code: 0, out: stdout, said: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, said: stderr };
  }
}

test("from an address to an attachment: probe, print, run by its owner, check", async () => {
  const env = { ATTACH_URL: database.url };
  const probed = await attach(["probe"], env);
  expect(probed.out).toContain(
    "cap in cap: cap.published has Id, Name, Content, Retries, Added, ExpiresAt and StatusName; cap.received has",
  );
  expect((await attach(["check"], env)).out).toContain("wrong  There is no schema onceboard_attach");

  const printed = await attach(
    ["cap", "--print", "--url-variable", "ATTACH_URL", "--role", database.role, "--set", "time_zone=UTC"],
    env,
  );
  await database.run(printed.out.split("-- 3. Index")[0] ?? "");
  const checked = await attach(["check"], env);
  expect(checked).toMatchObject({ code: 0, said: "" });
  expect(checked.out).toContain("ok     Installed: CAP");

  await database.run(
    `insert into cap.published values (1, 'v1', E'paid\\u202Eevil', '{"Headers":{"cap-exception":"Timeout-->${"x".repeat(200)}"}}', 50, '2026-03-01 12:00', null, 'Failed')`,
  );
  const shown = await attach(["rows", "dead"], env);
  expect(shown.out.split("\n")).toEqual([
    "state  id     origin    type       first_seen_at             attempts  error_message",
    `dead   out:1  outgoing  paid evil  2026-03-01T12:00:00.000Z  50        Timeout-->${"x".repeat(49)}…`,
    "",
  ]);
  expect((await attach(["rows", "incoming"], env)).out).toBe("No rows.\n");
});

test("a table that was made by hand: its map is guessed, printed, and installed", async () => {
  const env = { ATTACH_URL: database.url };
  await database.run(
    `create table public.outbox_events (id bigint primary key, event_type text, payload jsonb, created_at timestamptz not null default now(), published_at timestamptz);
     insert into public.outbox_events values (1, 'order.paid', '{}', now(), null), (2, 'order.paid', '{}', now(), now())`,
  );
  expect((await attach(["probe"], env)).out).toContain("next: npm run -s attach -- map public.outbox_events");
  const mapped = await attach(["map", "public.outbox_events"], env);
  const folder = mkdtempSync(join(tmpdir(), "onceboard-map-"));
  try {
    const path = join(folder, "map.json");
    writeFileSync(path, mapped.out);
    const args = ["--map", path, "--print", "--role", database.role, "--as", "onceboard_attach_own"];
    const printed = await attach(["mapped", ...args], env);
    await database.run(printed.out.split("-- 3. Index")[0] ?? "");
    expect((await attach(["rows", "outgoing", "--as", "onceboard_attach_own"], env)).out).toMatch(
      /^state +id .*\nsent +.*2 .*\nwaiting +.*1 /,
    );
    expect((await attach(["check", "--as", "onceboard_attach_own"], env)).code).toBe(0);
    writeFileSync(path, mapped.out.replaceAll("published_at", "sent_on"));
    expect((await attach(["mapped", ...args], env)).said).toContain("sent_on");
    writeFileSync(path, "no map");
    expect((await attach(["mapped", ...args], env)).said).toContain("is no JSON");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("for reading only, nothing that changes a row is printed", async () => {
  const { out } = await attach(["cap", "--print", "--set", "time_zone=UTC", "--read-only"]);
  expect(out).toContain("create view");
  expect(out).not.toMatch(/\bfunction "onceboard_attach"\.(requeue|discard|purge)/);
  expect(out).toContain("set default_transaction_read_only = on");
});

describe("what cannot be is said in one line, with nothing of a secret", () => {
  test.each([
    [[], "Say what to do:"],
    [["nope", "--print"], "There is no preset nope"],
    [["cap"], "Usage:"],
    [["cap", "--print"], "time_zone is not given"],
    [["cap", "--print", "--set", "time_zone"], "--set wants NAME=VALUE"],
    [["cap", "--print", "--set", "time_zone=UTC", "--set", "more=1"], "CAP has no constant more."],
    [["cap", "--print", "--set", "time_zone='; drop schema cap"], "time_zone has to be a time zone"],
    [["cap", "--print", "--colour"], "Unknown option '--colour'"],
    [["cap", "--print", "--set", "time_zone=UTC", "--as", "public"], "public cannot be the schema of an attachment"],
    [["probe"], "ATTACH_URL is empty"],
    [["rows", "more"], "Say which rows:"],
    [["rows", "dead", "--limit", "1000"], "--limit has to be from 1 to 50."],
    [["probe", "--url-variable", "ELSEWHERE"], "The database cannot be reached"],
  ] as const)("%j", async (args, says) => {
    const { code, said } = await attach(args, {
      ATTACH_URL: "",
      ELSEWHERE: "postgres://nobody:secret-of-theirs@127.0.0.1:1/none",
    });
    expect(code).toBe(1);
    expect(said).toContain(says);
    expect(said.trim().split("\n")).toHaveLength(1);
    expect(said).not.toContain("secret-of-theirs");
  });
});
