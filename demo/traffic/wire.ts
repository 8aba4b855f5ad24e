import type { Answer, OnceboardClient } from "@/client/index";
import type { TrafficProfile } from "./profile";

export type RefundFields = { paymentId: string; amount: string | number; reason?: string };
export interface PaymentFields {
  readonly accountId: string;
  readonly amount: string | number;
  readonly currency: string;
  readonly merchantReference: string;
  readonly channel: string;
}

/** A command ready to be sent, any number of times, under one key. */
export interface TrafficCommand {
  readonly key: string;
  readonly path: string;
  readonly body: unknown;
}

export function paymentCommand(profile: TrafficProfile, key: string, fields: PaymentFields): TrafficCommand {
  return commandOf(profile, key, "charge", "/payments", fields);
}

export function refundCommand(profile: TrafficProfile, key: string, fields: RefundFields): TrafficCommand {
  return commandOf(profile, key, "refund", "/refunds", fields);
}

export function voidCommand(profile: TrafficProfile, key: string, paymentId: string): TrafficCommand {
  const path = `/payments/${paymentId}/void`;
  return commandOf(profile, key, "void", path, profile.wire === "mesh" ? { paymentId } : {});
}

/** Over the profile's wire: the route, or a function of the mesh. */
function commandOf({ wire }: TrafficProfile, key: string, name: string, path: string, fields: object): TrafficCommand {
  if (wire === "http") return { key, path, body: fields };
  const body = {
    protocol: { name: "mesh", version: "0.1.0" },
    id: `req_${key}`,
    call: { function: `payments.${name}`, version: "1", arguments: fields },
    extensions: [{ urn: "urn:mesh:ext:idempotency", options: { key } }],
  };
  return { key, path: "/mesh", body };
}

export function sendCommand(client: OnceboardClient, command: TrafficCommand): Promise<Answer> {
  return client.post(command.path, command.body, { key: command.key });
}

/** @returns the payment's id from either wire, `undefined` when the answer has none. */
export function paymentIdOf(body: unknown): string | undefined {
  const outer = record(body);
  const fields = "result" in outer ? record(outer["result"]) : outer;
  const id = fields["paymentId"] ?? fields["charge_id"];
  return typeof id === "string" ? id : undefined;
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Minor units as the API's decimal string. */
export function decimal(minor: number): string {
  return `${String(Math.floor(minor / 100))}.${String(minor % 100).padStart(2, "0")}`;
}
