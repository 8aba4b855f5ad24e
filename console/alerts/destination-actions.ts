import { createHash } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { alertClock, holdAlertTurn, selectOpenAlerts } from "@/db/alerts/alerts";
import {
  alertDestinationForChange,
  deleteAlertDestination,
  insertAlertDestination,
  type AlertDestinationRow,
} from "@/db/alerts/destinations";
import type { Queryable } from "@/db/client";
import type { AlertDestinationKind } from "@/domain/alerts/rules";
import { AppError } from "@/domain/errors";
import {
  changedOutcome,
  type ActionOrigin,
  type ActionOutcome,
  type ActionRequest,
  type ActionResult,
} from "@/engine/actions/action-answer";
import { operatorAction } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";
import { destinationProblem } from "@/engine/outbox/transports/safe-destination";
import { sealTarget } from "./destination-secret";
import { MAX_ALERT_DESTINATIONS } from "./limits";
import { sendAlert } from "./send-alert";

export interface NewDestination {
  readonly kind: AlertDestinationKind;
  readonly name: string;
  /** Address of a webhook, routing key or e-mail address: sealed, and shown to nobody again. */
  readonly target: string;
}

/**
 * Adds a destination of this tenant's alerts. What is open and at its limit is sent there once, in the same transaction.
 * @param options.allowPrivate WEBHOOK_ALLOW_PRIVATE
 * @throws AppError `auth.forbidden` 403, `validation.alert_target` 422, `alert_destination.limit` 409
 */
export async function createDestination(
  ctx: EngineContext,
  origin: ActionOrigin,
  { kind, name, target: text }: NewDestination,
  options: { readonly allowPrivate: boolean },
): Promise<ActionResult> {
  const { target, shown } = READERS[kind](text, options);
  const id = uuidv7();
  // What is kept of the action tells two of them apart, and holds neither.
  const digest = createHash("sha256").update(target).digest("base64url");
  const request = {
    ...origin,
    action: "alert_destinations.create",
    subject: { type: "alert_destination", id: name },
    input: { kind, name, target: digest },
  } as const;
  return operatorAction(ctx, request, async (tx) => {
    // An alert opens before, and is found here, or after, and finds the destination.
    await holdAlertTurn(tx, ctx.tenantId);
    const sealed = sealTarget(ctx.keyring, { tenantId: ctx.tenantId, id, kind }, target);
    const row = { id, kind, name, shown, sealed, createdBy: ctx.actor.name };
    if (!(await insertAlertDestination(tx, ctx.tenantId, row, MAX_ALERT_DESTINATIONS))) {
      throw new AppError("alert_destination.limit", 409, "The limit of destinations is reached", {
        detail: `Nothing was made. A tenant has at most ${String(MAX_ALERT_DESTINATIONS)}; delete one first.`,
      });
    }
    await sendOpen(ctx, tx, { id, kind });
    return { ...changedOutcome({}, { id, kind, name, shown }), subject: { type: "alert_destination", id } };
  });
}

/** What is below its limit again is left out: it is on its way to be over, and a message would say that it is not. */
async function sendOpen(
  ctx: EngineContext,
  tx: Queryable,
  to: { readonly id: string; readonly kind: AlertDestinationKind },
): Promise<void> {
  const at = await alertClock(tx);
  for (const alert of await selectOpenAlerts(tx, ctx.tenantId)) {
    const { id: alertId, condition, subject, value, limit, level, facts, seenAt: since, toldAt, clearSince } = alert;
    if (toldAt === undefined || clearSince !== undefined) continue;
    await sendAlert(ctx, tx, to, {
      news: "opened",
      ...{ alertId, condition, subject, value, limit, level, facts, since, at },
    });
  }
}

/**
 * Writes a test for a destination, which goes the way of every alert. PagerDuty gets a second one that ends its incident.
 * @throws AppError `auth.forbidden` 403, `alert_destination.not_found` 404
 */
export function testDestination(ctx: EngineContext, origin: ActionOrigin, id: string): Promise<ActionResult> {
  return actOn(ctx, origin, "alert_destinations.test", id, async (tx, to) => {
    const at = await alertClock(tx);
    const about = { condition: "dead_letters", subject: "", value: 0n, limit: 1n, level: 0, facts: {} } as const;
    const test = { ...about, alertId: uuidv7(), since: at, at };
    await sendAlert(ctx, tx, to, { ...test, news: "test" });
    if (to.kind === "pagerduty") await sendAlert(ctx, tx, to, { ...test, news: "test_over" });
    return changedOutcome({}, { alert: test.alertId });
  });
}

/**
 * Deletes a destination with what was sealed of it. Messages that wait for it become dead letters at their next turn.
 * @throws AppError as of testDestination
 */
export function deleteDestination(ctx: EngineContext, origin: ActionOrigin, id: string): Promise<ActionResult> {
  return actOn(ctx, origin, "alert_destinations.delete", id, async (tx, { kind, name, shown }) => {
    await deleteAlertDestination(tx, ctx.tenantId, id);
    return changedOutcome({ kind, name, shown }, {});
  });
}

function actOn(
  ctx: EngineContext,
  origin: ActionOrigin,
  action: ActionRequest["action"],
  id: string,
  run: (tx: Queryable, was: AlertDestinationRow) => Promise<ActionOutcome>,
): Promise<ActionResult> {
  const request = { ...origin, action, subject: { type: "alert_destination", id }, input: {} };
  return operatorAction(ctx, request, async (tx) => {
    const was = await alertDestinationForChange(tx, ctx.tenantId, id);
    if (was !== undefined) return run(tx, was);
    throw new AppError("alert_destination.not_found", 404, "There is no such destination", {
      detail: "Nothing was changed.",
    });
  });
}

interface ReadTarget {
  readonly target: string;
  /** What people see of it. */
  readonly shown: string;
}

const ROUTING_KEY = /^[A-Za-z0-9]{32}$/;
const KEY_SHOWN = 4;
const EMAIL = /^([^\s@<>",;:\\()[\]]{1,64})@([A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?)$/;

const READERS: Readonly<
  Record<AlertDestinationKind, (text: string, options: { readonly allowPrivate: boolean }) => ReadTarget>
> = {
  slack(text, options) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const problem = url === undefined ? "It is not a whole URL." : destinationProblem(url, options);
    if (url === undefined || problem !== undefined) throw unusable(problem ?? "");
    url.hash = "";
    // The path of such an address is its password.
    return { target: url.toString(), shown: `${url.protocol}//${url.host}/…` };
  },
  pagerduty(text) {
    if (!ROUTING_KEY.test(text)) throw unusable("A routing key has 32 letters and digits.");
    return { target: text, shown: `…${text.slice(-KEY_SHOWN)}` };
  },
  email(text) {
    const [, local = "", domain = ""] = EMAIL.exec(text) ?? [];
    if (local === "") throw unusable("It is not an e-mail address.");
    return { target: text, shown: `${local.slice(0, 1)}…@${domain}` };
  },
};

function unusable(problem: string): AppError {
  return new AppError("validation.alert_target", 422, "Alerts cannot be sent there", {
    detail: [problem, "Nothing was made."].join(" "),
  });
}
