import type { Hono } from "hono";
import { z } from "zod";
import { createDestination, deleteDestination, testDestination } from "@/console/alerts/destination-actions";
import { readAlerts } from "@/console/alerts/read-alerts";
import { changeRule } from "@/console/alerts/rule-actions";
import {
  ALERT_CONDITIONS,
  ALERT_DESTINATION_KINDS,
  COUNTED_CONDITIONS,
  MAX_ALERT_LIMIT,
  parseAmounts,
  type AlertCondition,
} from "@/domain/alerts/rules";
import { AppError } from "@/domain/errors";
import { isPlain, PLAIN_RULE } from "@/domain/plain-text";
import type { AdminEnv } from "../../env";
import { idOf, withMessage } from "../action-answer";
import { reason, reasonBody } from "../action-bodies";
import { act, read, type AdminCall } from "../declare";

const NAME_MAX = 100;
const TARGET_MAX = 2_000;
const AMOUNTS_MAX = 500;

const destinationBody = z.strictObject({
  kind: z.enum(ALERT_DESTINATION_KINDS),
  name: z.string().trim().min(1).max(NAME_MAX).refine(isPlain, PLAIN_RULE),
  target: z.string().trim().min(1).max(TARGET_MAX).describe("a webhook's address, a routing key or an e-mail address"),
  reason: reason.optional(),
});

const whole = `must be a whole number from 1 to ${String(MAX_ALERT_LIMIT)}`;
const ruleBody = z.strictObject({
  state: z.enum(["on", "off"]),
  // Forms send texts.
  limit: z
    .union([z.int(), z.string().regex(/^\d{1,7}$/, whole)])
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= MAX_ALERT_LIMIT, whole)
    .optional(),
  amounts: z
    .string()
    .trim()
    .max(AMOUNTS_MAX)
    .refine(
      (text) => parseAmounts(text) !== undefined,
      "must be amounts such as EUR 500.00, JPY 50000, each currency once",
    )
    .optional(),
  reason,
});

const missing = ["alert_destination.not_found"];

/** Where a tenant is told, and of what. An address or a key is in the request that made it, and in no answer. */
export function registerAlerts(app: Hono<AdminEnv>): void {
  const all = { id: "readAlerts", summary: "Alerts, what is alerted, and where alerts are sent" };
  read(app, "alerts.read", "/alerts", all, (ctx) => readAlerts(ctx));
  const create = {
    id: "createAlertDestination",
    summary: "Add a destination of alerts",
    body: destinationBody,
    errors: ["alert_destination.limit", "validation.alert_target"],
  };
  act(app, "alert_destinations.create", "/alert-destinations", create, async ({ c, ctx, origin }, fields) => {
    const { kind, name, target } = fields;
    const allowPrivate = c.get("deps").config.webhookAllowPrivate;
    return withMessage(c, await createDestination(ctx, origin, { kind, name, target }, { allowPrivate }), "Added.");
  });
  const test = { id: "testAlertDestination", summary: "Send a test alert", body: reasonBody, errors: missing };
  act(app, "alert_destinations.test", "/alert-destinations/:id/test", test, async ({ c, ctx, origin }) =>
    withMessage(c, await testDestination(ctx, origin, destinationOf(c)), "The relay sends a test at its next turn."),
  );
  const remove = { id: "deleteAlertDestination", summary: "Delete a destination", body: reasonBody, errors: missing };
  act(app, "alert_destinations.delete", "/alert-destinations/:id/delete", remove, async ({ c, ctx, origin }) =>
    withMessage(c, await deleteDestination(ctx, origin, destinationOf(c)), "It is deleted."),
  );
  const change = {
    id: "changeAlertRule",
    summary: "Change what is alerted of one condition",
    body: ruleBody,
    errors: ["alert_rule.not_found", "validation.body"],
  };
  act(
    app,
    "alert_rules.change",
    "/alert-rules/:condition",
    change,
    async ({ c, ctx, origin }, { state, ...fields }) => {
      const condition = conditionOf(c);
      const limit = fields.limit === undefined ? undefined : BigInt(fields.limit);
      const amounts = fields.amounts === undefined ? undefined : parseAmounts(fields.amounts);
      const result = await changeRule(ctx, origin, condition, {
        enabled: state === "on",
        limit: COUNTED_CONDITIONS.includes(condition) ? limit : undefined,
        amounts: condition === "money_in_doubt" ? amounts : undefined,
      });
      return withMessage(c, result, "Changed.");
    },
  );
}

function destinationOf(c: AdminCall): string {
  return idOf(c, "alert_destination.not_found");
}

function conditionOf(c: AdminCall): AlertCondition {
  const name = c.req.param("condition");
  const condition = ALERT_CONDITIONS.find((each) => each === name);
  if (condition !== undefined) return condition;
  throw new AppError("alert_rule.not_found", 404, "There is no such condition", { detail: "Nothing was changed." });
}
