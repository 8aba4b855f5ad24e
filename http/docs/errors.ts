import { articleName, categoryOf, faultName, meshName, playbookName, type Category } from "../profiles/names";

/** S3.7: one list of everything a caller may be told, for the document, its page and the tests. */
export interface ErrorRow {
  readonly code: string;
  readonly status: readonly number[];
  /** What it is about. */
  readonly group:
    | "IDEMPOTENCY"
    | "VALIDATION"
    | "AUTH"
    | "CONFLICT"
    | "RATE_LIMIT"
    | "DEPENDENCY"
    | "TRANSIENT"
    | "PROVIDER"
    | "NOT_FOUND";
  /** The same in the dresses of the other profiles and of the mesh. */
  readonly names: {
    readonly playbook: string;
    readonly fault: string;
    readonly article: string;
    readonly mesh: string;
  };
  /** Class of the playbook's taxonomy: what decides whether a retry makes sense. */
  readonly category: Category;
  /** A retry of the same request under the same key can succeed. */
  readonly retryable: boolean;
  readonly means: string;
}

function row(
  group: ErrorRow["group"],
  code: string,
  status: number | readonly number[],
  retryable: boolean,
  means: string,
): ErrorRow {
  return {
    group,
    code,
    status: typeof status === "number" ? [status] : status,
    retryable,
    means,
    category: categoryOf({ code, retryable }),
    names: {
      playbook: playbookName({ code, retryable }),
      fault: faultName(code),
      article: articleName(code),
      mesh: meshName(code),
    },
  };
}

export const ERRORS: readonly ErrorRow[] = [
  row("IDEMPOTENCY", "idempotency.key_missing", 400, false, "The header is needed here. Nothing was recorded."),
  row(
    "IDEMPOTENCY",
    "idempotency.key_invalid",
    400,
    false,
    "The header is not one string of visible ASCII, quoted or bare. Nothing was recorded.",
  ),
  row(
    "IDEMPOTENCY",
    "idempotency.payload_mismatch",
    [409, 422],
    false,
    "The key stands for another command, whatever became of it. differingFields names what differs.",
  ),
  row("IDEMPOTENCY", "idempotency.in_progress", 409, true, "The first request of the key is still at work."),
  row(
    "IDEMPOTENCY",
    "idempotency.outcome_unknown",
    409,
    true,
    "The provider may have acted. Nothing is sent again until it is known.",
  ),
  row(
    "IDEMPOTENCY",
    "idempotency.key_expired",
    410,
    false,
    "The window is over. Look at the operation before a new key is used.",
  ),
  row(
    "IDEMPOTENCY",
    "idempotency.response_purged",
    410,
    false,
    "The stored answer was deleted; what the operation made is named.",
  ),
  row(
    "IDEMPOTENCY",
    "idempotency.response_too_large",
    410,
    false,
    "The answer was too large to be kept; what the operation made is named.",
  ),
  row(
    "IDEMPOTENCY",
    "idempotency.fingerprint_unknown",
    503,
    true,
    "The key was used with a newer version of the service, which alone can compare the commands.",
  ),
  row(
    "IDEMPOTENCY",
    "idempotency.attempts_exhausted",
    409,
    false,
    "The key failed too often without effect; a person has to look.",
  ),
  row("VALIDATION", "validation.json", 400, false, "Not valid JSON, a member twice in one object, or nested too deep."),
  row("VALIDATION", "validation.encoding", 400, false, "The body is not UTF-8."),
  row(
    "VALIDATION",
    "validation.request_timeout",
    400,
    false,
    "X-Request-Timeout is not a whole number of milliseconds.",
  ),
  row("VALIDATION", "validation.request", 400, false, "Not an HTTP request: a line, a header or a control byte."),
  row("VALIDATION", "validation.headers", 431, false, "All headers together have more than 16 kB."),
  row("VALIDATION", "validation.envelope", 400, false, "Not a mesh envelope; errors names what is wrong with it."),
  row(
    "VALIDATION",
    "validation.extension",
    400,
    false,
    "The mesh's idempotency extension is there twice, or an option of it is not usable.",
  ),
  row("VALIDATION", "validation.event", 400, false, "Not an event that can be recorded."),
  row("VALIDATION", "validation.too_large", 413, false, "The body has more than 256 KiB."),
  row("VALIDATION", "validation.content_type", 415, false, "The body is not JSON."),
  row("VALIDATION", "validation.body", 422, false, "A member is missing, unknown or out of range; errors names each."),
  row(
    "VALIDATION",
    "validation.amount",
    422,
    false,
    "Not a positive amount, too many digits for the currency, or a number with a fraction.",
  ),
  row(
    "AUTH",
    "auth.unauthenticated",
    401,
    false,
    "No API key, or one that is not valid any more. Nothing was recorded.",
  ),
  row("AUTH", "auth.forbidden", 403, false, "The key lacks the scope. Asked again before every replay."),
  row(
    "AUTH",
    "auth.step_up_required",
    403,
    false,
    "A person's session proved itself too long ago for this action; confirmBy says how to do it again. A key is never asked.",
  ),
  row("AUTH", "auth.tenant", 403, false, "The key belongs to another tenant."),
  row("AUTH", "auth.cross_site", 403, false, "A session's request that did not come from the console."),
  row(
    "AUTH",
    "auth.signature_invalid",
    401,
    false,
    "The webhook's signature, time or source does not hold. Nothing was recorded.",
  ),
  row(
    "AUTH",
    "tenant.wrong_region",
    421,
    false,
    "The tenant is at home in another region; homeRegion names it. Send the same request with the same key there.",
  ),
  row("RATE_LIMIT", "rate_limit.exceeded", 429, true, "Too many requests of one API key. Nothing was recorded."),
  row(
    "DEPENDENCY",
    "dependency.timeout",
    504,
    true,
    "The provider did not answer in time and may have acted; ask with the same key.",
  ),
  row(
    "DEPENDENCY",
    "dependency.unavailable",
    503,
    true,
    "The provider or the database is away, or did not answer within the time of the request. Nothing begins after it.",
  ),
  row("DEPENDENCY", "dependency.refused", 502, false, "The provider does not take this request; nothing took effect."),
  row("TRANSIENT", "transient.contention", 503, true, "Too many requests touch the same record."),
  row("TRANSIENT", "transient.request_timeout", 408, true, "The request or its body did not arrive in time."),
  row("TRANSIENT", "transient.owner_lost", 503, true, "The first try ended before anything was sent."),
  row("TRANSIENT", "transient.internal", 503, true, "Something went wrong on our side."),
  row("PROVIDER", "payment.insufficient_funds", 402, false, "Declined; the refusal is the answer of this key."),
  row("PROVIDER", "payment.declined", 402, false, "Declined for another reason; declineCode says which."),
  row(
    "CONFLICT",
    "payment.duplicate_reference",
    409,
    false,
    "The merchant reference has a payment already, made under another key; paymentId names it.",
  ),
  row("CONFLICT", "payment.not_settled", 409, true, "The payment is not settled yet."),
  row("CONFLICT", "payment.not_refundable", 409, false, "The payment was declined or voided."),
  row("CONFLICT", "payment.not_voidable", 409, false, "The payment was declined, refunded or voided before."),
  row(
    "CONFLICT",
    "refund.exceeds_remaining",
    422,
    false,
    "More than what is left of the payment; remaining says how much that is.",
  ),
  row("CONFLICT", "account.exists", 409, false, "The account exists already."),
  row("CONFLICT", "precondition.failed", 412, false, "If-Match names an older version."),
  row("CONFLICT", "inbox.payload_mismatch", 409, false, "The message id came with another payload before; flagged."),
  row("NOT_FOUND", "payment.not_found", 404, false, "No such payment of this tenant."),
  row("NOT_FOUND", "refund.not_found", 404, false, "No such refund of this tenant."),
  row("NOT_FOUND", "account.not_found", 404, false, "No such account of this tenant."),
  row("NOT_FOUND", "function.not_found", 404, false, "The mesh has no function of this name and version."),
  row("NOT_FOUND", "operation.not_found", 404, false, "No such operation of this tenant."),
  row("NOT_FOUND", "event_source.not_found", 404, false, "Not the name of an event source."),
  row("NOT_FOUND", "route.not_found", 404, false, "There is nothing at this address."),
];
