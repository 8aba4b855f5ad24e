import type { JsonSchema } from "./schemas";

export interface Operation {
  readonly method: "get" | "post" | "put";
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly scopes?: readonly string[];
  /** Needs `Idempotency-Key`. */
  readonly keyed?: boolean;
  /** Answers in the mesh's envelope, whatever profile the API key has; its key is in the envelope too. */
  readonly dress?: "mesh";
  readonly params?: readonly JsonSchema[];
  readonly body?: { readonly schema: JsonSchema; readonly required: boolean; readonly type?: string };
  readonly ok: readonly {
    readonly status: number;
    readonly schema?: JsonSchema;
    readonly text: string;
    readonly type?: string;
  }[];
  /** Codes beyond those of every call. */
  readonly errors: readonly string[];
}

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const pathParam = (name: string, schema: JsonSchema): JsonSchema => ({ name, in: "path", required: true, schema });
const header = (name: string, description: string, schema: JsonSchema = { type: "string" }): JsonSchema => ({
  name,
  in: "header",
  required: false,
  description,
  schema,
});
const uuidParam = pathParam("id", { type: "string", format: "uuid" });
const accountParam = pathParam("id", { type: "string", pattern: "^[\\x21-\\x7e]{1,128}$" });

export const OPERATIONS: readonly Operation[] = [
  {
    method: "post",
    path: "/payments",
    id: "createPayment",
    summary: "Take a payment",
    scopes: ["payments"],
    keyed: true,
    body: { schema: ref("CreatePayment"), required: true },
    ok: [{ status: 201, schema: ref("Payment"), text: "The payment" }],
    errors: [
      "validation.amount",
      "payment.insufficient_funds",
      "payment.declined",
      "payment.duplicate_reference",
      "dependency.timeout",
      "dependency.refused",
      "transient.owner_lost",
    ],
  },
  {
    method: "get",
    path: "/payments/{id}",
    id: "readPayment",
    summary: "A payment as it is now",
    scopes: ["payments"],
    params: [uuidParam],
    ok: [{ status: 200, schema: ref("Payment"), text: "The payment" }],
    errors: ["payment.not_found"],
  },
  {
    method: "post",
    path: "/payments/{id}/void",
    id: "voidPayment",
    summary: "Void a payment",
    scopes: ["payments"],
    keyed: true,
    params: [uuidParam],
    body: { schema: { type: "object", additionalProperties: false }, required: false },
    ok: [{ status: 200, schema: ref("Payment"), text: "The voided payment" }],
    errors: [
      "payment.not_found",
      "payment.not_settled",
      "payment.not_voidable",
      "payment.declined",
      "dependency.timeout",
      "dependency.refused",
      "transient.owner_lost",
    ],
  },
  {
    method: "post",
    path: "/refunds",
    id: "createRefund",
    summary: "Give money back, never more than what is left",
    scopes: ["payments"],
    keyed: true,
    body: { schema: ref("CreateRefund"), required: true },
    ok: [{ status: 201, schema: ref("Refund"), text: "The refund" }],
    errors: [
      "validation.amount",
      "payment.not_found",
      "payment.not_settled",
      "payment.not_refundable",
      "payment.declined",
      "refund.exceeds_remaining",
      "dependency.timeout",
      "dependency.refused",
      "transient.owner_lost",
    ],
  },
  {
    method: "get",
    path: "/refunds/{id}",
    id: "readRefund",
    summary: "A refund as it is now",
    scopes: ["payments"],
    params: [uuidParam],
    ok: [{ status: 200, schema: ref("Refund"), text: "The refund" }],
    errors: ["refund.not_found"],
  },
  {
    method: "post",
    path: "/accounts",
    id: "createAccount",
    summary: "Open an account",
    description: "The local path: key, account, event and answer are one transaction.",
    scopes: ["accounts"],
    keyed: true,
    body: { schema: ref("CreateAccount"), required: true },
    ok: [{ status: 201, schema: ref("Account"), text: "The account" }],
    errors: ["account.exists"],
  },
  {
    method: "get",
    path: "/accounts/{id}",
    id: "readAccount",
    summary: "An account and its ETag",
    scopes: ["accounts", "payments"],
    params: [accountParam],
    ok: [{ status: 200, schema: ref("Account"), text: "The account" }],
    errors: ["account.not_found"],
  },
  {
    method: "put",
    path: "/accounts/{id}/settings/default-currency",
    id: "setDefaultCurrency",
    summary: "Set an account's default currency",
    description: "Naturally idempotent, so no key is needed; If-Match guards against a lost update.",
    scopes: ["accounts"],
    params: [accountParam, header("If-Match", "The ETag that was read; `*` or none for any version")],
    body: { schema: ref("DefaultCurrency"), required: true },
    ok: [{ status: 200, schema: ref("Account"), text: "The account with its new ETag" }],
    errors: ["account.not_found", "precondition.failed"],
  },
  {
    method: "post",
    path: "/mesh",
    id: "callMesh",
    summary: "Call a function of the mesh",
    description:
      "payments.charge, payments.refund and payments.void, version 1: the operations of POST /payments, /refunds and /payments/{id}/void under the same keys, so one key through both doors is one operation. The key and its window are in the extension urn:mesh:ext:idempotency; other extensions are ignored.",
    scopes: ["payments"],
    dress: "mesh",
    body: { schema: ref("MeshRequest"), required: true },
    ok: [
      {
        status: 200,
        schema: ref("MeshAnswer"),
        text: "Processed, or cached: the result, or a refusal that is the answer of its key",
      },
    ],
    errors: [
      "validation.envelope",
      "validation.extension",
      "validation.amount",
      "function.not_found",
      "payment.not_found",
      "payment.not_settled",
      "payment.insufficient_funds",
      "payment.declined",
      "payment.duplicate_reference",
      "payment.not_refundable",
      "payment.not_voidable",
      "refund.exceeds_remaining",
      "dependency.timeout",
      "dependency.refused",
      "transient.owner_lost",
    ],
  },
  {
    method: "get",
    path: "/operations/{operationId}",
    id: "readOperation",
    summary: "What became of an operation",
    description:
      "For a caller that lost its answer: state, stage, reference of the result, and what a retry with the same key would do.",
    scopes: ["payments", "accounts", "admin"],
    params: [pathParam("operationId", { type: "string", format: "uuid" })],
    ok: [{ status: 200, schema: ref("Operation"), text: "The operation; Retry-After while it is open" }],
    errors: ["operation.not_found"],
  },
  {
    method: "post",
    path: "/events/{source}",
    id: "receiveEvent",
    summary: "Receive an event",
    description:
      "Signed as Standard Webhooks want it (webhook-id, webhook-timestamp, webhook-signature; five minutes either way), or a CloudEvent, structured or binary, with an API key of scope events.",
    scopes: ["events"],
    params: [
      pathParam("source", { type: "string", pattern: "^[a-z0-9][a-z0-9._-]{0,62}$" }),
      {
        name: "tenant",
        in: "query",
        required: false,
        description: "Needed when several tenants know the source",
        schema: { type: "string" },
      },
      header("webhook-id", "Id of the message, the same on every resend"),
      header("webhook-timestamp", "Seconds since 1970"),
      header("webhook-signature", "`v1,<base64>`, several separated by spaces"),
    ],
    body: { schema: { type: "object" }, required: true },
    ok: [
      { status: 202, schema: ref("EventReceipt"), text: "Recorded" },
      { status: 200, schema: ref("EventReceipt"), text: "Recorded before, nothing was done again" },
    ],
    errors: ["auth.signature_invalid", "validation.event", "event_source.not_found", "inbox.payload_mismatch"],
  },
];
