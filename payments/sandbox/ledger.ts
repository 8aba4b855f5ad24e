import { randomBytes } from "node:crypto";
import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isSameCommand, type SandboxCommand, type ObjectKind } from "./command";

export type ObjectStatus = "succeeded" | "declined" | "processing";

/** One effect the provider really accepted. */
export interface ProviderObject extends SandboxCommand {
  readonly id: string;
  readonly status: ObjectStatus;
  /** RFC 3339 */
  readonly createdAt: string;
  readonly declineCode?: string;
}

export type Acceptance =
  | { readonly outcome: "accepted" | "repeated"; readonly object: ProviderObject }
  | { readonly outcome: "key_reused" }
  | { readonly outcome: "full" };

type Line =
  | { readonly type: "seen"; readonly providerKey: string }
  | { readonly type: "accepted"; readonly object: ProviderObject }
  | { readonly type: "settled"; readonly providerKey: string; readonly status: ObjectStatus };

export interface Ledger {
  /** Counts one request for the key, whatever becomes of it. */
  see(providerKey: string): void;
  accept(command: SandboxCommand, options: { processing: boolean }): Acceptance;
  find(providerKey: string): ProviderObject | undefined;
  /** @returns the settled object; `undefined` when the key is absent or already final with another status. */
  settle(providerKey: string, status: "succeeded" | "declined"): ProviderObject | undefined;
  rows(): (ProviderObject & { requests: number })[];
  requests(): Record<string, number>;
  clear(): void;
  close(): void;
}

export const LEDGER_FILE = "sandbox-ledger.jsonl";
/** A pretend provider does not grow for ever: above this it accepts nothing new. */
const MAX_OBJECTS = 1_000_000;
const DECLINED_CENTS = 51n;
const INSUFFICIENT_FUNDS = "insufficient_funds";
const ID_PREFIX: Readonly<Record<ObjectKind, string>> = { charge: "ch_", refund: "rf_", void: "vd_" };

/** Opens the append-only file and replays it, so that the ledger survives a killed process. */
export function openLedger(dataDir: string): Ledger {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, LEDGER_FILE);
  const objects = new Map<string, ProviderObject>();
  const seen = new Map<string, number>();
  const file = openSync(path, "a+");
  for (const line of readLines(path)) apply(line, objects, seen);
  // A line is in the file before the answer leaves: what a caller was told is never forgotten.
  let closed = false;
  const append = (line: Line): void => {
    // The number of a closed file may belong to another one by now.
    if (closed) throw new Error("the ledger is closed");
    writeSync(file, `${JSON.stringify(line)}\n`);
    apply(line, objects, seen);
  };
  return {
    see: (providerKey) => {
      if (seen.size < MAX_OBJECTS || seen.has(providerKey)) append({ type: "seen", providerKey });
    },
    accept: (command, { processing }) => {
      const existing = objects.get(command.providerKey);
      if (existing)
        return isSameCommand(existing, command) ? { outcome: "repeated", object: existing } : { outcome: "key_reused" };
      if (objects.size >= MAX_OBJECTS) return { outcome: "full" };
      const object = newObject(command, processing);
      append({ type: "accepted", object });
      return { outcome: "accepted", object };
    },
    find: (providerKey) => objects.get(providerKey),
    settle: (providerKey, status) => {
      const object = objects.get(providerKey);
      if (!object || (object.status !== "processing" && object.status !== status)) return undefined;
      if (object.status === "processing") append({ type: "settled", providerKey, status });
      return objects.get(providerKey);
    },
    rows: () => [...objects.values()].map((object) => ({ ...object, requests: seen.get(object.providerKey) ?? 0 })),
    requests: () => Object.fromEntries(seen),
    clear: () => {
      ftruncateSync(file);
      objects.clear();
      seen.clear();
    },
    close: () => {
      closed = true;
      closeSync(file);
    },
  };
}

function newObject(command: SandboxCommand, processing: boolean): ProviderObject {
  const declined = command.kind === "charge" && BigInt(command.amount) % 100n === DECLINED_CENTS;
  const base = {
    ...command,
    id: ID_PREFIX[command.kind] + randomBytes(12).toString("hex"),
    createdAt: new Date().toISOString(),
  };
  if (processing) return { ...base, status: "processing" };
  return declined ? { ...base, status: "declined", declineCode: INSUFFICIENT_FUNDS } : { ...base, status: "succeeded" };
}

function apply(line: Line, objects: Map<string, ProviderObject>, seen: Map<string, number>): void {
  if (line.type === "seen") {
    seen.set(line.providerKey, (seen.get(line.providerKey) ?? 0) + 1);
  } else if (line.type === "accepted") {
    objects.set(line.object.providerKey, line.object);
  } else {
    const object = objects.get(line.providerKey);
    if (!object) return;
    const decline = line.status === "declined" ? { declineCode: INSUFFICIENT_FUNDS } : {};
    objects.set(line.providerKey, { ...object, status: line.status, ...decline });
  }
}

/** A process killed while it wrote leaves half a line at the end; nobody was told about it, so it is cut off. */
function readLines(path: string): Line[] {
  const content = readFileSync(path);
  const whole = content.lastIndexOf(0x0a) + 1;
  if (whole < content.length) truncateSync(path, whole);
  return content
    .subarray(0, whole)
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}
