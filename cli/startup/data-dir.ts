import { randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";

/** Only the owner reads what is secret. */
const PRIVATE = 0o600;
const OWNERS_DIRECTORY = 0o700;
const OF_OTHERS = 0o077;
/** To pass through, without seeing what is there (db/embedded/place.ts). */
const PASS_OF_GROUP = 0o010;
const KEY_BYTES = 32;

/**
 * Makes the data directory and sees that it can be written.
 *
 * @returns its absolute path
 * @throws Error in one sentence
 */
export function openDataDir(dataDir: string): string {
  const directory = resolve(dataDir);
  try {
    makeDirectory(directory);
    closeDirectory(directory);
    accessSync(directory, constants.W_OK | constants.X_OK);
    const probe = join(directory, `.probe-${String(process.pid)}`);
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new Error(`The data directory ${directory} cannot be written (${reason}): set DATA_DIR to one that can.`);
  }
  return directory;
}

/**
 * Takes from everybody else what they may do in it, whoever made it: logs, mails and data of the embedded database are in there. What
 * belongs to another user stays as it is, and so does what PostgreSQL's system user must pass through.
 */
function closeDirectory(directory: string): void {
  const { mode, uid } = statSync(directory);
  const own = process.getuid?.();
  // Elsewhere than on Unix modes say nothing.
  if (own === undefined || own !== uid) return;
  const open = mode & OF_OTHERS;
  if (open !== 0 && !(own === 0 && open === PASS_OF_GROUP)) chmodSync(directory, OWNERS_DIRECTORY);
}

/**
 * Sees that nobody else reads what is in a directory, before secrets are put there or taken from there.
 *
 * @throws Error in one sentence
 */
function requireClosed(directory: string): void {
  if (process.getuid === undefined) return;
  closeDirectory(directory);
  const open = statSync(directory).mode & OF_OTHERS;
  if (open === 0 || open === PASS_OF_GROUP) return;
  throw new Error(
    `The data directory ${directory} holds secrets and is open to other users: give it to this user and close it (chmod 700).`,
  );
}

/** Not `{ recursive: true }`: below a place where nothing can be made, such as /proc, Node 20 tries that for ever. */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return;
  makeDirectory(dirname(directory));
  mkdirSync(directory, OWNERS_DIRECTORY);
}

/** Writes a file that only the owner may read; whole or not at all. */
export function writePrivate(path: string, value: unknown): void {
  writePrivateText(path, `${JSON.stringify(value, undefined, 2)}\n`);
}

/** As {@link writePrivate}, of a text. */
export function writePrivateText(path: string, text: string): void {
  const half = `${path}.${String(process.pid)}`;
  writeFileSync(half, text, { mode: PRIVATE });
  renameSync(half, path);
}

/**
 * @returns what the file holds, or undefined when there is none
 * @throws Error in one sentence when it is not what it should be: guessing a new secret would make old rows unreadable
 */
export function readPrivate<T>(path: string, shape: z.ZodType<T>): T | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return shape.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    throw new Error(`${path} is damaged: restore it, or remove the data directory to begin anew.`);
  }
}

const secretsShape = z.object({ secret: z.string().min(KEY_BYTES), encryptionKeys: z.string().min(1) });
export type Secrets = z.output<typeof secretsShape>;

const secretsFile = (directory: string): string => join(directory, "secrets.json");

/** @returns the secrets kept in the data directory, or undefined before the first start. */
export function keptSecrets(directory: string): Secrets | undefined {
  if (existsSync(secretsFile(directory))) requireClosed(directory);
  return readPrivate(secretsFile(directory), secretsShape);
}

const loginShape = z.object({ password: z.string().min(KEY_BYTES) });

/** @returns the password of the login of the processes at the embedded database, made at the first start */
export function ensureLoginPassword(directory: string): string {
  const file = join(directory, "login.json");
  const kept = readPrivate(file, loginShape);
  if (kept !== undefined) return kept.password;
  const made = { password: randomBytes(KEY_BYTES).toString("base64url") };
  writePrivate(file, made);
  return made.password;
}

/** @returns the secrets of this data directory, made at the first start. */
export function ensureSecrets(directory: string): Secrets {
  const kept = keptSecrets(directory);
  if (kept !== undefined) return kept;
  requireClosed(directory);
  const made: Secrets = {
    secret: randomBytes(KEY_BYTES).toString("base64url"),
    encryptionKeys: `k1:${randomBytes(KEY_BYTES).toString("base64")}`,
  };
  writePrivate(secretsFile(directory), made);
  return made;
}
