import fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import { registerKind } from "@/db/kinds/operation-kinds";
import { ROLES } from "@/domain/idempotency/states";
import { createOperations, createRegistry } from "@/payments/operations";
import { createSandboxProvider, type SandboxKind } from "@/payments/provider/sandbox-adapter";
import type { TestEnvironment } from "./environment";
import { begin, type Beginning } from "./history-beginnings";
import { DO, STEPS, type Step } from "./history-steps";
import { REPLAYS, type Replay } from "./other-service";
import { unlessRefused } from "./life";
import { kindsCrossing } from "./payment-kinds";

const PROVIDERS = ["sandbox", "sandbox-dedupe-only", "sandbox-query-only", "sandbox-neither"] as const;

/** A life of one operation, and who looks at it afterwards. */
export interface History {
  readonly provider: SandboxKind;
  readonly begins: Beginning;
  readonly steps: readonly Step[];
  readonly role: (typeof ROLES)[number];
  /** How the answer is kept, where another service keeps it. */
  readonly replay: Replay;
}

/** @param begins how it may begin @param often steps that come more often than the others */
export function histories(begins: readonly Beginning[], often: readonly Step[]): fc.Arbitrary<History> {
  const step = fc.oneof({ arbitrary: fc.constantFrom(...often), weight: 3 }, fc.constantFrom(...STEPS));
  return fc.record({
    provider: fc.constantFrom(...PROVIDERS),
    begins: fc.constantFrom(...begins),
    steps: fc.array(step, { minLength: 1, maxLength: 7, size: "max" }),
    role: fc.constantFrom(...ROLES),
    replay: fc.constantFrom(...REPLAYS),
  });
}

/** The tenant of its own in which a history happened, and its operation. */
export interface Lived {
  readonly tenant: string;
  readonly operationId: string;
  readonly key: string;
}

/** Lives a history in rows. What a step cannot do to the operation as it is now is refused by the product, and left out. */
export async function live(env: TestEnvironment, { provider, begins, steps, replay }: History): Promise<Lived> {
  const tenant = `t-${uuidv7()}`;
  await env.rows("insert into onceboard.tenants (id, name) values ($1, $1)", tenant);
  // The console knows of a provider what its kinds say.
  for (const kind of kindsCrossing(provider)) await registerKind(env.db.pool, kind);
  const adapter = createSandboxProvider({ url: env.sandboxUrl, as: provider });
  try {
    const operations = createOperations(adapter);
    const life = await begin({ env, tenant, operations, registry: createRegistry(operations) }, begins, replay);
    for (const step of steps) await unlessRefused(DO[step](life));
    await life.client().answers.flush();
    return { tenant, operationId: life.operationId, key: life.key };
  } finally {
    adapter.close();
  }
}
