import {
  chmodSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KeyStoreUnavailableError } from "../key-store";
import { createFileKeyStore } from "./file";

const DAY = "2026-11-20";
const PERIOD = { tenantId: "acme", day: DAY };
const PLAIN = Buffer.from("a data key");

let parent: string;
let directory: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "onceboard-keys-"));
  directory = join(parent, "made/at/first/use");
});
afterEach(() => {
  rmSync(parent, { recursive: true, force: true });
});

const keyFiles = () =>
  readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".key"));
const theKeyFile = () => join(directory, keyFiles()[0] ?? "none");

describe("a file key store", () => {
  it("opens what it wrapped, for the same tenant and day only, also in another process's hands", async () => {
    const wrapped = await createFileKeyStore(directory).wrap(PERIOD, PLAIN);
    const other = createFileKeyStore(directory);
    expect(await other.unwrap(PERIOD, wrapped)).toEqual(PLAIN);
    await other.wrap({ tenantId: "globex", day: DAY }, PLAIN);
    expect(await other.unwrap({ tenantId: "globex", day: DAY }, wrapped)).toBeUndefined();
    expect(await other.unwrap({ tenantId: "acme", day: "2026-11-21" }, wrapped)).toBeUndefined();
    expect(await other.id()).toBe(await createFileKeyStore(directory).id());
  });

  it("lets nobody else in: directories 0700, files 0600, and no name of a tenant", async () => {
    await createFileKeyStore(directory).wrap(PERIOD, PLAIN);
    for (const name of ["", ...readdirSync(directory, { recursive: true, encoding: "utf8" })]) {
      const { mode } = statSync(join(directory, name));
      expect([name, mode & 0o777]).toEqual([name, statSync(join(directory, name)).isDirectory() ? 0o700 : 0o600]);
    }
    expect(keyFiles().join()).not.toContain("acme");
  });

  it("refuses a directory or a file that others may read, and says what to do", async () => {
    const store = createFileKeyStore(directory);
    const wrapped = await store.wrap(PERIOD, PLAIN);
    chmodSync(theKeyFile(), 0o640);
    const causeOf = async () =>
      store.unwrap(PERIOD, wrapped).then(
        () => "opened",
        (error: unknown) => [error instanceof KeyStoreUnavailableError, String((error as Error).cause)].join(" "),
      );
    expect(await causeOf()).toMatch(/^true .*chmod 600/);
    chmodSync(theKeyFile(), 0o600);
    chmodSync(directory, 0o750);
    expect(await causeOf()).toMatch(/^true .*chmod 700/);
    chmodSync(directory, 0o700);
    expect(await causeOf()).toBe("opened");
  });

  it("follows no link and takes no file of another length for a key", async () => {
    const store = createFileKeyStore(directory);
    const wrapped = await store.wrap(PERIOD, PLAIN);
    const file = theKeyFile();
    const key = readFileSync(file);
    writeFileSync(join(parent, "elsewhere"), key, { mode: 0o600 });
    rmSync(file);
    symlinkSync(join(parent, "elsewhere"), file);
    await expect(store.unwrap(PERIOD, wrapped)).rejects.toThrow(KeyStoreUnavailableError);
    rmSync(file);
    writeFileSync(file, key.subarray(1), { mode: 0o600 });
    await expect(store.unwrap(PERIOD, wrapped)).rejects.toThrow(KeyStoreUnavailableError);
  });

  it("overwrites a key before it removes it: a copy by a hard link holds nothing of it", async () => {
    const store = createFileKeyStore(directory);
    const wrapped = await store.wrap(PERIOD, PLAIN);
    const key = readFileSync(theKeyFile());
    linkSync(theKeyFile(), join(parent, "copy"));
    await store.destroy("acme", [DAY]);
    await store.destroy("acme", [DAY, "2026-11-19"]);
    expect(keyFiles()).toEqual([]);
    expect(readFileSync(join(parent, "copy")).equals(key)).toBe(false);
    expect(await store.unwrap(PERIOD, wrapped)).toBeUndefined();
    // A key that is made later for the same day opens nothing of the one before.
    await store.wrap(PERIOD, PLAIN);
    expect(await store.unwrap(PERIOD, wrapped)).toBeUndefined();
  });

  it("is unavailable, and has no key destroyed, once its volume is gone or is another one", async () => {
    const store = createFileKeyStore(directory);
    const wrapped = await store.wrap(PERIOD, PLAIN);
    renameSync(directory, join(parent, "away"));
    for (const act of [
      () => store.unwrap(PERIOD, wrapped),
      () => store.wrap(PERIOD, PLAIN),
      () => store.destroy("acme", [DAY]),
      () => store.daysBefore("acme", DAY, 1),
      () => store.id(),
    ])
      await expect(act()).rejects.toThrow(KeyStoreUnavailableError);
    await createFileKeyStore(directory).wrap(PERIOD, PLAIN);
    await expect(store.unwrap(PERIOD, wrapped)).rejects.toThrow(KeyStoreUnavailableError);
    rmSync(directory, { recursive: true });
    renameSync(join(parent, "away"), directory);
    expect(await store.unwrap(PERIOD, wrapped)).toEqual(PLAIN);
  });

  it("lists the days before another whose keys are old too, and none beyond its limit", async () => {
    const store = createFileKeyStore(directory);
    for (const day of ["2026-11-18", "2026-11-19", DAY]) await store.wrap({ tenantId: "acme", day }, PLAIN);
    expect(await store.daysBefore("acme", DAY, 10)).toEqual([]);
    for (const name of keyFiles()) utimesSync(join(directory, name), 0, 0);
    expect(await store.daysBefore("acme", DAY, 10)).toEqual(["2026-11-18", "2026-11-19"]);
    expect(await store.daysBefore("acme", DAY, 1)).toEqual(["2026-11-18"]);
    expect(await store.daysBefore("globex", DAY, 10)).toEqual([]);
  });

  it("makes one key a period, however many processes begin at once", async () => {
    const script = `
      import { createFileKeyStore } from ${JSON.stringify(join(import.meta.dirname, "file.ts"))};
      const wrapped = await createFileKeyStore(process.argv[1]).wrap({ tenantId: "acme", day: "${DAY}" }, Buffer.from("a data key"));
      process.stdout.write(wrapped.toString("base64"));`;
    const run = () =>
      new Promise<string>((done) => {
        const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script, directory], {
          stdio: ["ignore", "pipe", "inherit"],
        });
        let text = "";
        child.stdout.on("data", (chunk) => (text += String(chunk)));
        child.on("close", () => done(text));
      });
    const store = createFileKeyStore(directory);
    const inside = Array.from({ length: 16 }, () => createFileKeyStore(directory).wrap(PERIOD, PLAIN));
    const outside = (await Promise.all([run(), run(), run()])).map((text) => Buffer.from(text, "base64"));
    for (const wrapped of [...outside, ...(await Promise.all(inside))])
      expect(await store.unwrap(PERIOD, wrapped)).toEqual(PLAIN);
    // Nothing of the ones that were too late is left behind.
    expect(readdirSync(join(theKeyFile(), ".."))).toEqual([`${DAY}.key`]);
  });
});
