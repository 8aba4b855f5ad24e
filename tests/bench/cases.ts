import { randomBytes } from "node:crypto";
import { execute } from "@/engine/execute/execute";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import type { EngineContext } from "@/engine/context";
import { createOperations, type Operations } from "@/payments/operations";
import { createSandboxProvider } from "@/payments/provider/sandbox-adapter";
import type { LoadRequest } from "./load";
import { benchContext } from "./context";
import { CLIENT, BENCH_TENANT, type BenchEnvironment } from "./environment";
import { MARK } from "./raw";
import { createRecordingDatabase, type Recorded } from "./recording";

const CASE_NAMES = ["local create", "provider create", "replay", "replay, local path", "conflict"] as const;
type CaseName = (typeof CASE_NAMES)[number];

export interface Case {
  readonly name: CaseName;
  readonly expectedStatus: number;
  next(): LoadRequest;
  /** The app without idempotency runs the case too. */
  readonly plain: boolean;
  /** The service with `once()` runs it too. */
  readonly once: boolean;
  /** Its processor time is compared with that of a bare handler. */
  readonly bare: boolean;
  readonly raw: { readonly statements: readonly Recorded[]; readonly fixed: readonly string[] };
}

/** Keys that replays and conflicts go round. */
const KNOWN_KEYS = 64;

/** Records what each case sends to the database, and makes the requests that a caller sends. */
export async function makeCases(place: BenchEnvironment): Promise<Case[]> {
  const run = randomBytes(4).toString("hex");
  const knownName = (index: number): string => `known-${run}-${String(index % KNOWN_KEYS)}`;
  const knownNames = Array.from({ length: KNOWN_KEYS }, (_, index) => knownName(index));
  const recorded = await recordAll(place, knownNames);
  let number = 0;
  const headers = (key: string): Record<string, string> => ({
    authorization: `Bearer ${place.apiKeys[number % place.apiKeys.length] ?? ""}`,
    "idempotency-key": `"${key}"`,
  });
  const account = (key: string, id: string): LoadRequest => ({
    path: "/api/v1/accounts",
    headers: headers(key),
    body: JSON.stringify({ accountId: id, currency: "EUR" }),
  });
  const payment = (key: string, id: string, amount: string): LoadRequest => ({
    path: "/api/v1/payments",
    headers: headers(key),
    body: JSON.stringify({ accountId: `acc-${id}`, amount, currency: "EUR", merchantReference: `ref-${id}` }),
  });
  const known = (request: (name: string) => LoadRequest) => (): LoadRequest => {
    number += 1;
    return request(knownName(number));
  };
  const cases: Readonly<Record<CaseName, Pick<Case, "next"> & Partial<Case>>> = {
    "local create": {
      plain: true,
      once: true,
      next() {
        number += 1;
        return account(`new-${run}-${String(number)}`, `acc-${run}-${String(number)}`);
      },
    },
    "provider create": {
      plain: true,
      next() {
        number += 1;
        const id = `${run}-${String(number)}`;
        return payment(`pay-${id}`, id, "42.00");
      },
    },
    replay: { bare: true, next: known((name) => payment(`pay-${name}`, name, "42.00")) },
    "replay, local path": { next: known((name) => account(`key-${name}`, `acc-${name}`)) },
    conflict: { expectedStatus: 409, next: known((name) => payment(`pay-${name}`, name, "43.00")) },
  };
  return CASE_NAMES.map((name) => ({
    name,
    expectedStatus: 201,
    plain: false,
    once: false,
    bare: false,
    raw: recorded[name],
    ...cases[name],
  }));
}

async function recordAll(
  place: BenchEnvironment,
  knownNames: readonly string[],
): Promise<Record<CaseName, Case["raw"]>> {
  const { db, take } = createRecordingDatabase(place.url);
  const provider = createSandboxProvider({ url: `http://127.0.0.1:${String(place.sandboxPort)}` });
  const ctx = benchContext(db, {
    tenantId: BENCH_TENANT,
    actor: { kind: "client", id: CLIENT, name: CLIENT, scopes: ["payments", "accounts"] },
    encryptionKeys: place.env["ENCRYPTION_KEYS"],
    secret: place.env["SECRET"],
  });
  const operations = createOperations(provider);
  /** Events that answers leave to the recorder are written off the request path, so they are not part of the sequence. */
  const one = async (work: () => Promise<ExecuteAnswer>, fixed: readonly string[] = []): Promise<Case["raw"]> => {
    await take();
    await work();
    const statements = await take();
    await ctx.answers.flush();
    return { statements, fixed };
  };
  try {
    const local = await one(() => open(ctx, operations, MARK));
    const paid = await one(() => pay(ctx, operations, MARK));
    // One key that stays as it is, without the mark.
    const fixed = [
      operationIdOf(await open(ctx, operations, "known")),
      operationIdOf(await pay(ctx, operations, "known")),
    ];
    for (const name of knownNames) {
      await open(ctx, operations, name);
      await pay(ctx, operations, name);
    }
    return {
      "local create": local,
      "provider create": paid,
      replay: await one(() => pay(ctx, operations, "known"), fixed),
      "replay, local path": await one(() => open(ctx, operations, "known"), fixed),
      conflict: await one(() => pay(ctx, operations, "known", 4300n), fixed),
    };
  } finally {
    await ctx.answers.close();
    provider.close();
    await db.close();
  }
}

function open(ctx: EngineContext, { createAccount }: Operations, name: string): Promise<ExecuteAnswer> {
  return execute(ctx, createAccount, {
    key: `key-${name}`,
    command: { accountId: `acc-${name}`, currency: "EUR" },
    receivedAt: performance.now(),
  });
}

function pay(
  ctx: EngineContext,
  { createPayment }: Operations,
  name: string,
  amountMinor = 4200n,
): Promise<ExecuteAnswer> {
  const command = {
    accountId: `acc-${name}`,
    amountMinor,
    currency: "EUR",
    merchantReference: `ref-${name}`,
    channel: "web",
  };
  return execute(ctx, createPayment, { key: `pay-${name}`, command, receivedAt: performance.now() });
}

function operationIdOf(answer: ExecuteAnswer): string {
  if (answer.outcome !== "executed") throw new Error(`the first request was ${answer.outcome}`);
  return answer.operation.operationId;
}
