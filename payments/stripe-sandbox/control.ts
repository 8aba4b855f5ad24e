import { changeStripeFaults } from "./faults";
import type { Reply } from "../pretend-server";
import { invalid, missing } from "./reply";
import type { State } from "./state";

const ok = (body: object): Reply => ({ status: 200, body });

/** How a test steers this provider and reads what it really did. */
export function answerStripeControl(state: State, route: string, body: unknown): Reply | undefined {
  switch (route) {
    case "GET /_control/ledger":
      return ok({
        payments: [...state.intents.values()],
        refunds: [...state.refunds.values()],
        requests: Object.fromEntries(state.requests),
      });
    case "POST /_control/faults": {
      const next = changeStripeFaults(state.faults, body);
      if (typeof next === "string") return invalid(next);
      state.faults = next;
      return ok(next);
    }
    case "POST /_control/clock": {
      const ms = numberOf(body, "advanceMs");
      if (ms === undefined) return invalid("Give {advanceMs}.");
      state.aheadMs += ms;
      return ok({ aheadMs: state.aheadMs });
    }
    case "POST /_control/settle":
      return settleStripeObject(state, body);
    case "POST /_control/reset":
      state.clear();
      return ok({ status: "reset" });
    default:
      return undefined;
  }
}

/** A payment or refund that is processing gets its final status. */
function settleStripeObject(state: State, body: unknown): Reply {
  const { id, succeeded } = { id: fieldOf(body, "id"), succeeded: fieldOf(body, "succeeded") === true };
  const intent = typeof id === "string" ? state.intents.get(id) : undefined;
  if (intent?.status === "processing") {
    const changed = {
      ...intent,
      status: succeeded ? ("succeeded" as const) : ("requires_payment_method" as const),
      declineCode: succeeded ? undefined : "insufficient_funds",
      changedMs: state.nowMs(),
    };
    state.intents.set(intent.id, changed);
    return ok(changed);
  }
  const refund = typeof id === "string" ? state.refunds.get(id) : undefined;
  if (refund?.status !== "pending") return missing("processing object", String(id));
  const changed = { ...refund, status: succeeded ? ("succeeded" as const) : ("failed" as const) };
  state.refunds.set(refund.id, changed);
  return ok(changed);
}

function fieldOf(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>)[name] : undefined;
}

function numberOf(body: unknown, name: string): number | undefined {
  const value = fieldOf(body, name);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
