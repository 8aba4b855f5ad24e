import { z } from "zod";
import { hasProtocol, oneOf } from "./config-values";

const DEFAULT_PORT = "5432";
const POSTGRES = ["postgres:", "postgresql:"];

export const postgresUrl = z
  .string()
  .refine((text) => hasProtocol(text, POSTGRES), "must be a URL that begins with postgres://");

const KINDS = ["env", "file", "postgres", "aws-kms", "gcp-kms", "vault"] as const;

/** `env`: nowhere, ENCRYPTION_KEYS alone wraps; `file`: in a directory; `postgres`: in another database; else a service. */
export type KeyStoreKind = (typeof KINDS)[number];

/** Where the keys are that wrap data keys of bodies (docs/decisions/0023). */
export const keyStoreSettings = {
  keyStore: oneOf(...KINDS).optional(),
  /** Of KEY_STORE=file; `keys` in the data directory by default. */
  keyStoreDir: z.string().optional(),
  /** Of KEY_STORE=postgres: another database than DATABASE_URL. Of KEY_STORE=vault: its address. */
  keyStoreUrl: z
    .string()
    .refine(
      (text) => hasProtocol(text, [...POSTGRES, "https:", "http:"]),
      "must be a URL that begins with postgres:// or https://",
    )
    .optional(),
  /** Of aws-kms: begins the names of keys, `onceboard` by default; of gcp-kms: the key ring; of vault: the mount, `transit` by default. */
  keyStoreName: z.string().max(200, "must have at most 200 characters").optional(),
  /** Of KEY_STORE=vault: a token, or a file with one that an agent keeps fresh. */
  keyStoreToken: z.string().optional(),
  keyStoreTokenFile: z.string().optional(),
};

/** What a store must have, and what it may have. */
const NEEDS: Readonly<Record<KeyStoreKind, readonly string[]>> = {
  env: [],
  file: [],
  postgres: ["KEY_STORE_URL"],
  "aws-kms": [],
  "gcp-kms": ["KEY_STORE_NAME"],
  vault: ["KEY_STORE_URL"],
};
/** Stores that have a use for a variable, as a sentence names them. */
const USED_BY: Readonly<Record<string, readonly KeyStoreKind[]>> = {
  KEY_STORE_DIR: ["file"],
  KEY_STORE_URL: ["postgres", "vault"],
  KEY_STORE_NAME: ["aws-kms", "gcp-kms", "vault"],
  KEY_STORE_TOKEN: ["vault"],
  KEY_STORE_TOKEN_FILE: ["vault"],
};
const NAMES: Partial<Record<KeyStoreKind, { readonly form: RegExp; readonly words: string }>> = {
  "aws-kms": { form: /^[a-zA-Z0-9/_-]+$/, words: "must be letters, digits, -, _ and / with KEY_STORE=aws-kms" },
  "gcp-kms": {
    form: /^projects\/[^/]+\/locations\/[^/]+\/keyRings\/[^/]+$/,
    words: "must be projects/P/locations/L/keyRings/R with KEY_STORE=gcp-kms",
  },
  vault: { form: /^[\w./-]+$/, words: "must be the path of a mount with KEY_STORE=vault" },
};
/** Hosts to which a token may go in clear. */
const THIS_MACHINE: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

interface Given {
  readonly keyStore: KeyStoreKind | undefined;
  readonly keyStoreDir: string | undefined;
  readonly keyStoreUrl: string | undefined;
  readonly keyStoreName: string | undefined;
  readonly keyStoreToken: string | undefined;
  readonly keyStoreTokenFile: string | undefined;
  readonly databaseUrl: string | undefined;
}

/** Keys that lie where the bodies lie are in every copy of them. @returns a sentence for each thing that does not fit */
export function keyStoreContradictions(given: Given): string[] {
  const { keyStoreUrl, keyStoreName, databaseUrl } = given;
  // `npm start` without a database takes the files by itself.
  const kind = given.keyStore ?? (databaseUrl === undefined ? "file" : "env");
  const values: Readonly<Record<string, string | undefined>> = {
    KEY_STORE_DIR: given.keyStoreDir,
    KEY_STORE_URL: keyStoreUrl,
    KEY_STORE_NAME: keyStoreName,
    KEY_STORE_TOKEN: given.keyStoreToken,
    KEY_STORE_TOKEN_FILE: given.keyStoreTokenFile,
  };
  const problems = NEEDS[kind].flatMap((name) =>
    values[name] === undefined ? [`KEY_STORE=${kind} needs ${name}`] : [],
  );
  for (const [name, kinds] of Object.entries(USED_BY))
    if (values[name] !== undefined && !kinds.includes(kind))
      problems.push(`${name} needs KEY_STORE=${kinds.join(" or ")}`);
  const { form, words } = NAMES[kind] ?? {};
  if (keyStoreName !== undefined && form?.test(keyStoreName) === false)
    problems.push(`KEY_STORE_NAME ${String(words)}`);
  if (kind === "vault") problems.push(...vaultContradictions(given));
  if (kind === "postgres" && keyStoreUrl !== undefined) {
    if (!hasProtocol(keyStoreUrl, POSTGRES))
      problems.push("KEY_STORE_URL must begin with postgres:// with KEY_STORE=postgres");
    else if (databaseUrl !== undefined && sameDatabase(keyStoreUrl, databaseUrl))
      problems.push(
        "KEY_STORE_URL must be another database than DATABASE_URL: a backup of one must not hold the other",
      );
  }
  return problems;
}

function vaultContradictions({ keyStoreUrl, keyStoreToken, keyStoreTokenFile }: Given): string[] {
  const problems: string[] = [];
  if ((keyStoreToken === undefined) === (keyStoreTokenFile === undefined))
    problems.push("KEY_STORE=vault needs one of KEY_STORE_TOKEN and KEY_STORE_TOKEN_FILE");
  if (keyStoreUrl === undefined) return problems;
  const { protocol, hostname } = new URL(keyStoreUrl);
  if (protocol !== "https:" && !(protocol === "http:" && THIS_MACHINE.has(hostname)))
    problems.push("KEY_STORE_URL must begin with https:// with KEY_STORE=vault: the token goes there");
  return problems;
}

function sameDatabase(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)];
  const port = ({ port }: URL): string => port || DEFAULT_PORT;
  return a.hostname === b.hostname && port(a) === port(b) && a.pathname === b.pathname;
}
