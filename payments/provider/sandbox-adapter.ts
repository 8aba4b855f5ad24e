import type { ProviderResult } from "@/engine/index";
import { providerFacts, type ProviderName } from "./capabilities";
import { classifyLookUp, classifyResult, type ReadObject } from "./classify";
import { createAgents, exchange } from "./exchange";
import type { PaymentProvider, ProviderOptions, ProviderRequest } from "./port";

export interface SandboxAdapterOptions {
  /** Address of the sandbox, e.g. `http://127.0.0.1:3900`. */
  readonly url: string;
  /** Which abilities of the sandbox are used; the other kinds of provider are tried out with this. */
  readonly as?: SandboxKind;
}
export type SandboxKind = Extract<ProviderName, `sandbox${string}`>;

const STATUSES = ["succeeded", "declined", "processing"] as const;
const MINOR = /^\d{1,16}$/;

/** The sandbox provider behind the port. */
export function createSandboxProvider(options: SandboxAdapterOptions): PaymentProvider {
  const agents = createAgents();
  const facts = providerFacts(options.as ?? "sandbox");
  const send = async (path: string, request: ProviderRequest, opts: ProviderOptions): Promise<ProviderResult> => {
    const outcome = await exchange(
      agents,
      {
        method: "POST",
        url: new URL(path, options.url),
        headers: { "content-type": "application/json", "idempotency-key": request.providerKey },
        body: JSON.stringify(toBody(request)),
      },
      opts,
    );
    return classifyResult(outcome, request, readObject, (body) => errorCode(body) === "idempotency_key_reused");
  };
  return {
    ...facts,
    movesRealMoney: false,
    charge: (request, opts) => send("/v1/charges", request, opts),
    refund: (request, opts) => send("/v1/refunds", request, opts),
    void: (request, opts) => send("/v1/voids", request, opts),
    lookUp: async ({ request: { providerKey } }, opts) => {
      if (!facts.queryable) return { kind: "unreachable", reason: "this provider cannot be asked" };
      const url = new URL(`/v1/objects/by-key/${encodeURIComponent(providerKey)}`, options.url);
      const outcome = await exchange(agents, { method: "GET", url, headers: {} }, opts);
      return classifyLookUp(outcome, providerKey, readObject, (body) => errorCode(body) === "not_found");
    },
    close: () => agents.destroy(),
  };
}

function toBody(request: ProviderRequest): Record<string, unknown> {
  const { amountMinor, currency, accountId, reference, chargeReference, metadata } = request;
  return { amount: amountMinor.toString(), currency, accountId, reference, chargeReference, metadata };
}

/** @returns `undefined` for anything but a whole object: a half-read answer is no answer. */
export function readObject(body: unknown): ReadObject | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const fields: Record<string, unknown> = { ...body };
  const { id, amount, currency, providerKey, createdAt, declineCode } = {
    id: fields["id"],
    amount: fields["amount"],
    currency: fields["currency"],
    providerKey: fields["providerKey"],
    createdAt: fields["createdAt"],
    declineCode: fields["declineCode"],
  };
  const status = STATUSES.find((known) => known === fields["status"]);
  if (status === undefined || typeof id !== "string" || typeof amount !== "string" || !MINOR.test(amount))
    return undefined;
  if (typeof currency !== "string" || typeof providerKey !== "string" || typeof createdAt !== "string")
    return undefined;
  return {
    status,
    reference: id,
    amountMinor: BigInt(amount),
    currency,
    providerKey,
    ...(typeof declineCode === "string" ? { declineCode } : {}),
  };
}

function errorCode(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("error" in body)) return undefined;
  const { error } = body;
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}
