import { startPretendServer, type PretendServer } from "../pretend-server";
import { createAccountFaults } from "./account-faults";
import { refused, type SandboxContext } from "./context";
import { answerControl } from "./control";
import { NO_SANDBOX_FAULTS, seededRandom } from "./faults";
import { openLedger } from "./ledger";
import { answerRequest } from "./routes";
import { createWebhookSender, type SandboxWebhookTarget } from "./webhooks";

export interface SandboxOptions {
  /** 0 takes a free port. */
  readonly port: number;
  readonly dataDir: string;
  readonly webhook?: SandboxWebhookTarget;
  /** Same seed, same faults. */
  readonly seed?: number;
}

export type Sandbox = PretendServer;

const DEFAULT_SEED = 1;

/**
 * Starts the pretend provider on 127.0.0.1.
 * @throws when the port is taken or the ledger file is unreadable.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const ledger = openLedger(options.dataDir);
  const random = seededRandom(options.seed ?? DEFAULT_SEED);
  const context: SandboxContext = {
    ledger,
    webhooks: createWebhookSender(options.webhook),
    faults: NO_SANDBOX_FAULTS,
    // A rate of 0 draws nothing, so one fault's dice do not depend on which others are switched on.
    draws: (faults, kind) => faults[kind] > 0 && random() < faults[kind],
    accounts: createAccountFaults(() => context.faults),
  };
  const server = await startPretendServer(options.port, {
    answer: (...call) => answerRequest(context, ...call),
    control: (...call) => answerControl(context, ...call),
    refuse: (status, message) => refused(status, status === 413 ? "too_large" : "no_such_route", message),
  });
  return {
    ...server,
    close: async () => {
      context.webhooks.close();
      await server.close();
      ledger.close();
    },
  };
}
