import { z } from "zod";
import { hasProtocol, oneOf } from "./config-values";

const DEFAULT_PORT = "5432";

export const postgresUrl = z
  .string()
  .refine((text) => hasProtocol(text, ["postgres:", "postgresql:"]), "must be a URL that begins with postgres://");

/** Where the keys are that wrap data keys of bodies (docs/decisions/0023). */
export const keyStoreSettings = {
  /** `env`: nowhere, ENCRYPTION_KEYS alone wraps; `file`: in a directory; `postgres`: in another database. */
  keyStore: oneOf("env", "file", "postgres").optional(),
  /** Of KEY_STORE=file; `keys` in the data directory by default. */
  keyStoreDir: z.string().optional(),
  /** Of KEY_STORE=postgres: another database than DATABASE_URL. */
  keyStoreUrl: postgresUrl.optional(),
};

export type KeyStoreKind = "env" | "file" | "postgres";

interface Given {
  readonly keyStore: KeyStoreKind | undefined;
  readonly keyStoreDir: string | undefined;
  readonly keyStoreUrl: string | undefined;
  readonly databaseUrl: string | undefined;
}

/** Keys that lie where the bodies lie are in every copy of them. @returns a sentence for each thing that does not fit */
export function keyStoreContradictions({ keyStore, keyStoreDir, keyStoreUrl, databaseUrl }: Given): string[] {
  const problems: string[] = [];
  // `npm start` without a database takes the files by itself.
  const files = keyStore === "file" || (keyStore === undefined && databaseUrl === undefined);
  if (keyStore === "postgres" && keyStoreUrl === undefined) problems.push("KEY_STORE=postgres needs KEY_STORE_URL");
  if (keyStore !== "postgres" && keyStoreUrl !== undefined) problems.push("KEY_STORE_URL needs KEY_STORE=postgres");
  if (!files && keyStoreDir !== undefined) problems.push("KEY_STORE_DIR needs KEY_STORE=file");
  if (keyStoreUrl !== undefined && databaseUrl !== undefined && sameDatabase(keyStoreUrl, databaseUrl))
    problems.push("KEY_STORE_URL must be another database than DATABASE_URL: a backup of one must not hold the other");
  return problems;
}

function sameDatabase(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)];
  const port = ({ port }: URL): string => port || DEFAULT_PORT;
  return a.hostname === b.hostname && port(a) === port(b) && a.pathname === b.pathname;
}
