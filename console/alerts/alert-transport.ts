import type { LookupFunction } from "node:net";
import { z } from "zod";
import { alertTarget } from "@/db/alerts/destinations";
import { ALERT_CONDITIONS, type AlertDestinationKind } from "@/domain/alerts/rules";
import { ALERT_NEWS, alertText, type AlertText } from "@/presentation/alerts/alert-message";
import { mailOf, pagerDutyBody, slackBody } from "@/presentation/alerts/destination-bodies";
import type { EngineContext } from "@/engine/context";
import { composeMail, mailMessageId, type MailSender } from "@/engine/outbox/mail/mail";
import { createMailSender, type MailSettings } from "@/engine/outbox/mail/mail-sender";
import type { DeliveryOptions, DeliveryResult, OutboxDelivery, Transport } from "@/engine/outbox/transport";
import { createPoster, type Poster } from "@/engine/outbox/transports/post";
import { destinationProblem } from "@/engine/outbox/transports/safe-destination";
import { meters } from "@/engine/telemetry/meters";
import { destinationOfTopic, openTarget } from "./destination-secret";

/** Requests to one destination under way at once. */
const CONCURRENCY = 2;
const USER_AGENT = "Onceboard-Alerts/1";
const PAGERDUTY_PATH = "/v2/enqueue";
/** The destination has understood and will not take it, however often it comes. */
const FINAL_STATUSES: readonly number[] = [400, 413, 422];
const TOO_MANY = 429;
const SERVER_ERROR = 500;

export interface AlertTransportOptions {
  /** WEBHOOK_ALLOW_PRIVATE: plain http and addresses inside are let through. */
  readonly allowPrivate: boolean;
  /** PUBLIC_URL: links lead there. */
  readonly publicUrl: string;
  /** PAGERDUTY_URL */
  readonly pagerdutyUrl: string;
  /** Undefined: this process sends no mail. */
  readonly mail: MailSettings | undefined;
  /** Instead of the guarded one, for tests. */
  readonly lookup?: LookupFunction | undefined;
}

const decimal = z.string().regex(/^-?\d{1,19}$/);
const payloadShape = z.object({
  news: z.enum(ALERT_NEWS),
  alertId: z.uuid(),
  condition: z.enum(ALERT_CONDITIONS),
  subject: z.string(),
  value: decimal.transform(BigInt),
  limit: decimal.transform(BigInt),
  since: z.string(),
  at: z.string(),
  facts: z.record(z.string(), z.string()),
});
type Payload = z.output<typeof payloadShape>;

/** One message with where it goes, opened. */
interface Letter {
  readonly delivery: OutboxDelivery;
  readonly payload: Payload;
  readonly text: AlertText;
  readonly tenant: string;
  readonly kind: AlertDestinationKind;
  readonly target: string;
}

/**
 * Delivers alerts, for topics `alert:<kind>:<destination id>`. The same text on every resend. A destination that is away, or wants less
 * of it, is an outage: its topic rests, and no message dies of it.
 */
export function createAlertTransports(options: AlertTransportOptions): {
  readonly http: Transport;
  readonly mail: Transport;
} {
  const { allowPrivate, lookup, mail } = options;
  const poster = createPoster({ allowPrivate, ...(lookup && { lookup }) });
  const sender = mail && { from: mail.mailFrom, sender: createMailSender(mail) };
  const deliver = async (
    ctx: EngineContext,
    delivery: OutboxDelivery,
    { timeoutMs }: DeliveryOptions,
  ): Promise<DeliveryResult> => {
    const letter = await open(ctx, delivery, options.publicUrl);
    if ("kind" in letter && "code" in letter) return letter;
    const result = await send(letter, { ...options, poster, sender, timeoutMs });
    meters.alertsSent.inc({ destination: letter.kind, outcome: result.kind });
    return result;
  };
  const common = { concurrency: CONCURRENCY, deliver };
  return {
    http: {
      ...common,
      name: "http",
      close() {
        poster.close();
        return Promise.resolve();
      },
    },
    mail: { ...common, name: "mail", close: () => Promise.resolve() },
  };
}

type Refusal = Exclude<DeliveryResult, { readonly kind: "acknowledged" }>;

async function open(ctx: EngineContext, delivery: OutboxDelivery, base: string): Promise<Letter | Refusal> {
  const parsed = payloadShape.safeParse(JSON.parse(delivery.body));
  if (!parsed.success) return { kind: "rejected", code: "alert.malformed", reason: "The message is no alert" };
  const { tenantId, keyring } = ctx;
  const id = destinationOfTopic(delivery.topic) ?? "";
  const row = z.uuid().safeParse(id).success ? await alertTarget(ctx.db.pool, tenantId, id) : undefined;
  if (row === undefined)
    return { kind: "rejected", code: "alert.destination_deleted", reason: "The destination was deleted" };
  const { kind } = row;
  const payload = parsed.data;
  const text = alertText(payload, { ...payload, tenant: tenantId, base });
  return {
    delivery,
    payload,
    text,
    tenant: tenantId,
    kind,
    target: openTarget(keyring, { tenantId, id, kind }, row.sealed),
  };
}

interface How extends AlertTransportOptions {
  readonly poster: Poster;
  readonly sender: { readonly from: string; readonly sender: MailSender } | undefined;
  readonly timeoutMs: number;
}

function send(letter: Letter, how: How): Promise<DeliveryResult> {
  switch (letter.kind) {
    case "slack":
      return post(letter.target, slackBody(letter.text), how);
    case "pagerduty": {
      const { payload, text, tenant, target: routingKey } = letter;
      const body = pagerDutyBody(text, { ...payload, tenant, routingKey, base: how.publicUrl });
      return post(`${how.pagerdutyUrl}${PAGERDUTY_PATH}`, body, how);
    }
    case "email":
      return mailTo(letter, how);
  }
}

async function mailTo({ delivery, text, payload, tenant, target: to }: Letter, how: How): Promise<DeliveryResult> {
  const { sender, timeoutMs } = how;
  if (sender === undefined)
    return { kind: "unavailable", code: "transport.not_configured", reason: "This process sends no mail" };
  const { from } = sender;
  const key = `alert-${delivery.id}`;
  const messageId = mailMessageId(key, from);
  const bytes = await composeMail({ ...mailOf(text, tenant), from, to, messageId, date: new Date(payload.at) });
  return sender.sender.send({ from, to, bytes, tenantId: tenant, notificationKey: key }, timeoutMs);
}

async function post(target: string, body: string, { poster, allowPrivate, timeoutMs }: How): Promise<DeliveryResult> {
  const url = new URL(target);
  const problem = destinationProblem(url, { allowPrivate });
  if (problem !== undefined) return { kind: "failed", code: "alert.unsafe_destination", reason: problem };
  const headers = { "content-type": "application/json", "user-agent": USER_AGENT };
  try {
    const { status } = await poster.post(url, { body, headers, timeoutMs });
    if (status >= 200 && status < 300) return { kind: "acknowledged" };
    const reason = `The destination answered ${String(status)}`;
    if (status === TOO_MANY || status >= SERVER_ERROR) return { kind: "unavailable", code: AWAY, reason };
    const kind = FINAL_STATUSES.includes(status) ? "rejected" : "failed";
    return { kind, code: `alert.http_${String(status)}`, reason };
  } catch (error) {
    return unreachable(error);
  }
}

const AWAY = "alert.destination_unavailable";

/** @returns without the address, which holds a token */
function unreachable(error: unknown): DeliveryResult {
  const code = error instanceof Error && "code" in error ? String(error.code) : "connection lost";
  if (code === "EUNSAFE")
    return {
      kind: "failed",
      code: "alert.unsafe_destination",
      reason: error instanceof Error ? error.message : code,
    };
  const reason =
    code === "ETIMEDOUT" ? "The destination did not answer in time" : `The destination could not be reached: ${code}`;
  return { kind: "unavailable", code: AWAY, reason };
}
