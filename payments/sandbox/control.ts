import { changeSandboxFaults, NO_SANDBOX_FAULTS } from "./faults";
import { announce } from "./routes";
import type { Reply } from "../pretend-server";
import { refused, type SandboxContext } from "./context";

const OF_ACCOUNT = /^POST \/_control\/accounts\/([^/]{1,255})\/faults$/;

/** How a demo or a test steers the provider and reads what it really did. */
export function answerControl(context: SandboxContext, route: string, url: URL, body: unknown): Reply | undefined {
  const account = OF_ACCOUNT.exec(route)?.[1];
  if (account !== undefined) return setAccountFaults(context, account, body);
  switch (route) {
    case "GET /_control/faults":
      return { status: 200, body: context.faults };
    case "POST /_control/faults":
      return setFaults(context, body);
    case "GET /_control/ledger":
      return readLedger(context, url);
    case "POST /_control/settle":
      return settleEntry(context, body);
    case "POST /_control/reset":
      context.faults = NO_SANDBOX_FAULTS;
      context.accounts.clear();
      context.ledger.clear();
      return { status: 200, body: { status: "reset" } };
    default:
      return undefined;
  }
}

function setFaults(context: SandboxContext, body: unknown): Reply {
  const next = changeSandboxFaults(context.faults, body);
  if (typeof next === "string") return refused(400, "invalid_faults", next);
  context.faults = next;
  return { status: 200, body: next };
}

/** As {@link setFaults}, for one account; it begins without any, whatever everybody has. */
function setAccountFaults(context: SandboxContext, account: string, body: unknown): Reply {
  const next = changeSandboxFaults(NO_SANDBOX_FAULTS, body);
  if (typeof next === "string") return refused(400, "invalid_faults", next);
  if (!context.accounts.set(account, next))
    return refused(422, "too_many_accounts", "Too many accounts have faults of their own.");
  return { status: 200, body: next };
}

/** `entries` are accepted effects; `requests` also counts the keys that never got one. Filters: providerKey, status. */
function readLedger(context: SandboxContext, url: URL): Reply {
  const key = url.searchParams.get("providerKey");
  const status = url.searchParams.get("status");
  const entries = context.ledger
    .rows()
    .filter((row) => (key === null || row.providerKey === key) && (status === null || row.status === status));
  const requests = Object.entries(context.ledger.requests()).filter(([name]) => key === null || name === key);
  return { status: 200, body: { entries, requests: Object.fromEntries(requests) } };
}

function settleEntry(context: SandboxContext, body: unknown): Reply {
  const fields: Record<string, unknown> = typeof body === "object" && body !== null ? { ...body } : {};
  const { providerKey, status } = { providerKey: fields["providerKey"], status: fields["status"] };
  if (typeof providerKey !== "string" || (status !== "succeeded" && status !== "declined")) {
    return refused(400, "invalid_settle", 'Give {providerKey, status: "succeeded" | "declined"}.');
  }
  const before = context.ledger.find(providerKey);
  if (!before) return refused(404, "not_found", "No object has this key.");
  const object = context.ledger.settle(providerKey, status);
  if (!object) return refused(409, "already_final", "The object already has another final status.");
  if (before.status === "processing") announce(context, object);
  return { status: 200, body: object };
}
