import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { makeKeyPair, readSigningKey, signingKeyOf } from "@/engine/audit/signing-key";
import { verifyChains } from "@/cli/audit/verify";
import { ACCESS, LEGACY, openChains, writeLegacy, type KeptChains } from "./kept-chains";
import { dice, TAMPERINGS } from "./tamper";

const ENTRIES = 12;
/** Each process of the command reads a few hundred modules first, on a machine that does other things too. */
const WITH_PROCESSES = { timeout: 90_000 };
let ledger: KeptChains;
let directory: string;
let publicKey: string;

interface Answer {
  readonly code: number;
  readonly out: string;
}
/** As somebody types it, in a process of its own that has no secret of ours. */
function onceboard(...argv: readonly string[]): Promise<Answer> {
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], NODE_ENV: "production" as const };
  return new Promise((resolve) => {
    const args = ["--import", "tsx", "cli/audit.ts", ...argv];
    execFile(process.execPath, args, { env, maxBuffer: 10_000_000 }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out: out + err });
    });
  });
}
const GIVEN = (): readonly string[] => ["--checkpoints", ledger.file, "--public-key", publicKey];
/** The same in this process. */
async function verifyBy(...argv: readonly string[]): Promise<Answer> {
  const lines: string[] = [];
  const holds = await verifyChains(argv, (line) => void lines.push(line));
  return { code: holds ? 0 : 1, out: `${lines.join("\n")}\n` };
}
const verify = (...more: readonly string[]): Promise<Answer> => verifyBy(...GIVEN(), ...more);
const database = (): readonly string[] => ["--database", ledger.test.ownerUrl];

beforeAll(async () => {
  ledger = await openChains();
  directory = await mkdtemp(join(tmpdir(), "onceboard-verify-"));
  publicKey = join(directory, "public.pem");
  await writeFile(publicKey, ledger.key.publicKey.pem);
  await writeLegacy(ledger, "acme", LEGACY);
  await ledger.write("acme", ENTRIES - LEGACY);
  await ledger.write(ACCESS, ENTRIES);
  await ledger.witness().turn({ always: true });
  await ledger.write("acme", 2);
  await ledger.keep();
});
afterEach(() => ledger.back());
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
  await ledger.close();
});

describe("AUDIT-4 onceboard audit verify, by somebody who has a public key, the checkpoints and the entries", () => {
  it("says what holds and what is not covered, from a database and from an export", WITH_PROCESSES, async () => {
    const live = await verify(...database());
    expect(live).toMatchObject({ code: 0 });
    expect(live.out).toContain(`ok     acme: ${String(ENTRIES + 2)} entries fit 1 checkpoints`);
    expect(live.out).toContain("2 entries since");
    expect(live.out).toContain(`note   acme: ${String(LEGACY)} entries are of the first rule`);
    expect(live.out).toContain("2 chains, 0 wrong");
    const file = join(directory, "entries.ndjson");
    const exported = await onceboard("export", ...database());
    await writeFile(file, exported.out);
    expect(exported.out.trim().split("\n")).toHaveLength(2 * ENTRIES + 2);
    expect(await verify("--entries", file)).toEqual(live);
    // As a process too, which ends with 0 or with 1.
    expect(await onceboard("verify", ...GIVEN(), "--entries", file)).toEqual(live);
    await writeFile(file, exported.out.replace('"actorName":"Mira"', '"actorName":"Ada"'));
    expect(await onceboard("verify", ...GIVEN(), "--entries", file)).toMatchObject({ code: 1 });
  });

  it("asks a database for three tables that its user may read, and for nothing else", async () => {
    const name = `auditor_${randomBytes(6).toString("hex")}`;
    await ledger.run(`create role ${name} login password 'reads-only'`);
    try {
      await ledger.run(`grant usage on schema onceboard to ${name}`);
      await ledger.run(`grant select on onceboard.audit_entries, onceboard.audit_heads, onceboard.tenants to ${name}`);
      const url = new URL(ledger.test.ownerUrl);
      [url.username, url.password] = [name, "reads-only"];
      expect(await verify("--database", url.href)).toMatchObject({ code: 0 });
    } finally {
      await ledger.run(`drop owned by ${name}; drop role ${name}`);
    }
  });

  it("finds a chain that was edited, with all hashes made anew and the functions replaced", async () => {
    await TAMPERINGS["an entry edited"](ledger.run, { chain: "acme", covered: ENTRIES, legacy: LEGACY }, dice(1));
    await TAMPERINGS["the verifying functions replaced"](
      ledger.run,
      { chain: ACCESS, covered: ENTRIES, legacy: 0 },
      dice(2),
    );
    const { code, out } = await verify(...database());
    expect(code).toBe(1);
    expect(out).toMatch(/wrong {2}acme: /);
    expect(out).toMatch(/wrong {2}@access: an entry was changed/);
    expect(out).toContain("2 chains, 2 wrong");
  });

  it("finds an empty chain, and one that has no checkpoint", async () => {
    await TAMPERINGS["the chain deleted whole"](ledger.run, { chain: "acme", covered: ENTRIES, legacy: LEGACY });
    const gone = await verify(...database());
    expect(gone).toMatchObject({ code: 1 });
    expect(gone.out).toContain("wrong  acme: the end of the chain was cut, at #1");
    const lines = (await readFile(ledger.file, "utf8")).split("\n");
    const others = join(directory, "others.ndjson");
    await writeFile(others, lines.filter((line) => !line.includes(ACCESS)).join("\n"));
    await ledger.back();
    const none = await verifyBy("--checkpoints", others, "--public-key", publicKey, ...database());
    expect(none).toMatchObject({ code: 1 });
    expect(none.out).toContain("wrong  @access: no checkpoint names this chain: nothing is proved of it");
    const empty = join(directory, "empty.ndjson");
    await writeFile(empty, "");
    expect(await verify("--entries", empty)).toMatchObject({ code: 1 });
  });

  it("finds a checkpoint that was changed, and one of a key that is not trusted", async () => {
    const forged = join(directory, "forged.ndjson");
    const text = await readFile(ledger.file, "utf8");
    await writeFile(forged, text.replace(`"entries":"${String(ENTRIES)}"`, '"entries":"11"'));
    const changed = await verifyBy("--checkpoints", forged, "--public-key", publicKey, ...database());
    expect(changed).toMatchObject({ code: 1 });
    expect(changed.out).toContain("its signature is wrong");
    const stranger = join(directory, "stranger.pem");
    await writeFile(stranger, makeKeyPair().publicPem);
    const other = await verifyBy("--checkpoints", ledger.file, "--public-key", stranger, ...database());
    expect(other).toMatchObject({ code: 1 });
    expect(other.out).toContain("signed with an unknown key");
  });

  it("takes several keys, so that one may be changed for another", async () => {
    const second = signingKeyOf(makeKeyPair().privatePem, "another");
    const later = ledger.witness({ keys: [second] });
    expect(await later.turn({ always: true })).toMatchObject({ made: 1, broken: 0 });
    const both = join(directory, "both.pem");
    await writeFile(both, ledger.key.publicKey.pem + second.publicKey.pem);
    const { code, out } = await verifyBy("--checkpoints", ledger.file, "--public-key", both, ...database());
    expect([code, out]).toEqual([0, expect.stringContaining("entries fit 2 checkpoints")]);
    const { code: one } = await verify(...database());
    expect(one).toBe(1);
  });

  it("says what was set aside when somebody with the key began anew after a restore", async () => {
    await TAMPERINGS["the newest entries cut with the head moved"](
      ledger.run,
      { chain: "acme", covered: ENTRIES, legacy: LEGACY },
      dice(3),
    );
    await ledger.write("acme", 20);
    expect(await verify(...database())).toMatchObject({ code: 1 });
    await ledger.witness().restart("acme", "restored from the backup of Monday");
    const { code, out } = await verify(...database());
    expect(code).toBe(0);
    expect(out).toContain("checkpoints were begun anew: restored from the backup of Monday");
    expect(out).toContain("1 checkpoints of before do not fit and were set aside");
    const again = ledger.witness();
    expect(await again.turn({ always: true })).toMatchObject({ broken: 0 });
    expect(await again.check(60_000)).toMatchObject({ broken: 0 });
  });
});

describe("AUDIT-4 onceboard audit key", () => {
  it(
    "makes a key that only its owner reads, never over another, and a process refuses one that others may read",
    WITH_PROCESSES,
    async () => {
      const out = join(directory, "made.pem");
      expect(await onceboard("key", "--out", out)).toMatchObject({ code: 0 });
      expect((await stat(out)).mode & 0o777).toBe(0o600);
      expect(await readFile(join(directory, "made.pub.pem"), "utf8")).toContain("PUBLIC KEY");
      expect(readSigningKey(out).id).toHaveLength(16);
      const again = await onceboard("key", "--out", out);
      expect([again.code, again.out]).toEqual([1, expect.stringContaining("is there already")]);
      await chmod(out, 0o640);
      expect(() => readSigningKey(out)).toThrow(`AUDIT_KEY_FILE ${out} can be opened by others: chmod 600 it.`);
      await expect(async () => readSigningKey(join(directory, "none.pem"))).rejects.toThrow("cannot be read (ENOENT).");
      await writeFile(join(directory, "bad.pem"), "secret-text", { mode: 0o600 });
      await expect(async () => readSigningKey(join(directory, "bad.pem"))).rejects.toThrow(
        /holds no private key in PEM\.$/,
      );
    },
  );
});
