import type { ErrorEntry } from "@/engine/module/module";
import { articleName, categoryOf, faultName, meshName, playbookName, type Category } from "../profiles/names";

/** One list of every error that a caller may get, for the document, its page and the tests. */
export interface ErrorRow {
  readonly code: string;
  readonly status: readonly number[];
  /** What it is about. */
  readonly group: ErrorGroup;
  /** The same in the error formats of the other profiles and of the mesh. */
  readonly names: {
    readonly playbook: string;
    readonly fault: string;
    readonly article: string;
    readonly mesh: string;
  };
  /** Class of the error: what decides whether a retry makes sense. */
  readonly category: Category;
  /** A retry of the same request under the same key can succeed. */
  readonly retryable: boolean;
  readonly means: string;
}

type ErrorGroup = Category | "IDEMPOTENCY" | "NOT_FOUND";
type ErrorTable = Readonly<
  Partial<Record<ErrorGroup, Readonly<Record<string, readonly [status: number, means: string, retry?: "retry"]>>>>
>;
const RETRY = "retry";

const API_ERRORS: ErrorTable = {
  IDEMPOTENCY: {
    "idempotency.key_missing": [400, "This call needs the header. Nothing was recorded."],
    "idempotency.key_invalid": [
      400,
      "The header is not one string of visible ASCII, quoted or bare. Nothing was recorded.",
    ],
    "idempotency.payload_mismatch": [
      409,
      "The key stands for another command, whatever its state. differingFields names what differs.",
    ],
    "idempotency.in_progress": [409, "A request of the key is in progress.", RETRY],
    "idempotency.outcome_unknown": [
      409,
      "The provider may have acted. Nothing is sent again until it is known.",
      RETRY,
    ],
    "idempotency.key_expired": [410, "The window is over. Look at the operation before a new key is used."],
    "idempotency.response_purged": [410, "The stored answer was deleted; resource names what the operation made."],
    "idempotency.response_too_large": [
      410,
      "The answer was too large to be kept; resource names what the operation made.",
    ],
    "idempotency.fingerprint_unknown": [
      503,
      "The key was used with a newer version of the service, and only that version can compare the commands.",
      RETRY,
    ],
    "idempotency.attempts_exhausted": [
      409,
      "The key failed too often without effect; a person has to look at the operation.",
    ],
  },
  VALIDATION: {
    "validation.json": [400, "Not valid JSON, a member name that occurs twice in one object, or nested too deep."],
    "validation.encoding": [400, "The body is not UTF-8."],
    "validation.request_timeout": [400, "X-Request-Timeout is not a whole number of milliseconds."],
    "validation.request": [
      400,
      "Not an HTTP request: a line, a header or a control byte cannot be read, or its body breaks off.",
    ],
    "validation.cursor": [400, "The cursor is none of this list and sort."],
    "validation.method": [
      405,
      "No page and no route takes the method, or this would be a tunnel; Allow names what is taken.",
    ],
    "validation.headers": [431, "The headers together have more than 16 kB."],
    "validation.envelope": [400, "Not a mesh envelope; errors names what is wrong with it."],
    "validation.extension": [400, "The mesh's idempotency extension occurs twice, or one of its options is not valid."],
    "validation.parameters": [400, "A query parameter or a header is not valid; errors names each."],
    "validation.event": [400, "Not an event that can be recorded."],
    "validation.too_large": [413, "The body has more than 256 KiB."],
    "validation.content_type": [415, "The body is not JSON."],
    "validation.body": [422, "A member is missing, unknown or out of range; errors names each."],
    "validation.amount": [422, "Not a positive amount, too many digits for the currency, or a number with a fraction."],
  },
  AUTH: {
    "auth.unauthenticated": [401, "No API key, or one that is not valid any more. Nothing was recorded."],
    "auth.forbidden": [403, "The key lacks the scope. Checked again before every replay."],
    "auth.step_up_required": [
      403,
      "The person last proved who they are too long ago for this action; confirmBy says how to do it again. An API key never needs to.",
    ],
    "auth.tenant": [403, "The key belongs to another tenant."],
    "auth.cross_site": [403, "A request with a session that did not come from the console."],
    "auth.signature_invalid": [401, "The webhook's signature, time or source is not valid. Nothing was recorded."],
    "tenant.wrong_region": [
      421,
      "The tenant is at home in another region; homeRegion names it. Send the same request with the same key there.",
    ],
  },
  RATE_LIMIT: {
    "rate_limit.exceeded": [429, "Too many requests of one API key. Nothing was recorded.", RETRY],
  },
  DEPENDENCY: {
    "dependency.timeout": [
      504,
      "The provider did not answer in time and may have acted; retry with the same key.",
      RETRY,
    ],
    "dependency.unavailable": [
      503,
      "The provider or the database was not reachable, or did not answer within the request's time limit. Nothing starts after that.",
      RETRY,
    ],
    "dependency.refused": [502, "The provider does not accept this request; nothing took effect."],
  },
  TRANSIENT: {
    "transient.busy": [503, "Pages or exports have all of their share of the process. Nothing was begun.", RETRY],
    "transient.contention": [503, "Too many requests touch the same record.", RETRY],
    "transient.request_timeout": [408, "The request or its body did not arrive in time.", RETRY],
    "transient.owner_lost": [503, "The first try ended before anything was sent.", RETRY],
    "transient.internal": [503, "Something went wrong on our side.", RETRY],
  },
  CONFLICT: {
    "precondition.failed": [412, "If-Match names an older version."],
    "inbox.payload_mismatch": [409, "The message id arrived with another payload before; the difference is flagged."],
  },
  NOT_FOUND: {
    "function.not_found": [404, "The mesh has no function of this name and version."],
    "operation.not_found": [404, "No such operation of this tenant."],
    "event_source.not_found": [404, "This is not the name of an event source."],
    "route.not_found": [404, "There is nothing at this address."],
  },
};

/** Refusals of the admin API alone. */
const ADMIN_ERRORS: ErrorTable = {
  VALIDATION: {
    "validation.filter": [400, "A filter is unknown or its value cannot be read; filters names each."],
    "validation.api_key": [422, "Such a client or key cannot be made; the detail says why."],
    "validation.evidence": [422, "The decision needs evidence of the kind that it is based on."],
    "validation.event_secret": [422, "This secret cannot sign events."],
    "validation.policy": [422, "The policy is not valid; errors names each setting."],
    "validation.topic": [422, "The topic cannot be sent like that."],
    "validation.correction": [422, "The corrected body cannot be sent; problem and errors say why and where."],
    "validation.deploy": [422, "The time of the deploy is too long ago or lies ahead."],
    "validation.alert_target": [422, "Alerts cannot be sent to this address."],
    "validation.attachment_address": [422, "Not an address of a PostgreSQL database, with login and password."],
    "validation.webhook_url": [422, "Webhooks cannot be sent to this address."],
    "tenant.missing": [400, "There are several tenants; say which."],
    "attach.manifest": [422, "The installed schema of an attached database does not say what it is."],
    "attach.too_dear": [422, "To read this list of an attached database would cost too much. Nothing was read."],
    "attach.superuser": [422, "The login of an attached database is a superuser, which is not used."],
  },
  DEPENDENCY: {
    "attach.unreachable": [502, "The attached database cannot be reached.", RETRY],
    "attach.read_failed": [502, "The attached database refused a read; nothing was changed.", RETRY],
  },
  TRANSIENT: {
    "attach.too_many_looks": [503, "This process looks at as many databases as it may. Nothing was asked.", RETRY],
  },
  AUTH: {
    "auth.person_only": [403, "Only a person may do or read this, not an API key."],
    "auth.confirmation_failed": [403, "The password or code did not prove who the person is."],
    "auth.code_wrong": [403, "The code is wrong or was used before."],
    "plan.own_request": [403, "Another person has to approve the plan."],
    "plan.tied_person": [403, "Whoever decides counts as the same person as who asked for the plan."],
    "plan.unknown_holder": [403, "The plan was asked for with a key that names no holder, so nobody can approve it."],
  },
  CONFLICT: {
    "auth.two_factor_on": [409, "A second factor is on already."],
    "auth.two_factor_off": [409, "No second factor is on."],
    "session.own": [409, "This is the session of the request; sign out instead."],
    "operation.not_open": [409, "The operation is settled, or its owner holds the lease."],
    "operation.not_unknown": [409, "The operation does not wait for a decision."],
    "operation.not_offered": [409, "The service that owns the operation does not offer this."],
    "operation.request_open": [409, "The service that owns the operation is asked already."],
    "operation.no_request": [409, "No request to the service that owns the operation is open."],
    "operation.contradicted": [409, "A final source contradicts the decision."],
    "topic.version_conflict": [409, "The topic is at another version than the one that was looked at."],
    "topic.transport_not_configured": [422, "This deployment has no such transport."],
    "policy.version_conflict": [409, "The policy is at another version than the one that was looked at."],
    "correction.not_possible": [
      409,
      "The message may not be corrected, or not any more; the detail says why. Nothing was sent.",
    ],
    "correction.body_purged": [409, "The corrected body was deleted by retention or with its plan. Nothing was sent."],
    "outbox.arrived": [409, "A consumer here has the message: it arrived. Nothing was sent."],
    "outbox.not_republishable": [
      409,
      "The message may not be published again, or not now; the detail says why. Nothing was sent.",
    ],
    "plan.needed": [409, "This act would pass what one person may do alone: a plan of it needs a second person."],
    "plan.state": [409, "The plan's state does not allow this step."],
    "plan.nothing": [422, "Nothing matches what the plan would freeze."],
    "plan.too_many": [422, "More rows match than one plan holds."],
    "export.too_many_rows": [422, "More rows match than one export holds."],
    "view.exists": [409, "There is a view of this name already."],
    "view.limit": [409, "The list has as many views as it may have."],
    "attach.not_installed": [409, "The views of an attached database are not there, or may not be used."],
    "alert_destination.limit": [409, "There are as many destinations of alerts as there may be."],
    "attached.not_done": [409, "A person settled that nothing was changed in the attached database."],
    "attachment.name_taken": [409, "There is an attachment of this name already."],
    "attachment.limit": [409, "There are as many attached databases as there may be."],
    "attach.host_not_allowed": [422, "ATTACH_HOSTS does not list the host. Nothing was connected."],
    "attach.check_failed": [409, "A check of the installation fails; the detail says which."],
    "webhook_endpoint.exists": [409, "There is an endpoint of this address already."],
    "webhook_endpoint.limit": [409, "There are as many endpoints as there may be."],
    "webhook_endpoint.secrets": [409, "The endpoint has as many valid secrets as it may have."],
    "event_source.secrets": [409, "The source has as many valid secrets as it may have."],
    "event_source.last_secret": [409, "The source would have no valid secret left."],
    "api_client.exists": [409, "There is a client of this name already."],
    "api_client.limit": [409, "There are as many clients as there may be."],
    "api_key.limit": [409, "The client has as many valid keys as it may have."],
    "api_key.ended": [409, "The key is revoked or has expired."],
    "operator.exists": [409, "Somebody has this e-mail already."],
    "operator.self": [409, "People cannot do this to their own account."],
    "operator.grant_limit": [409, "They have a role in as many single tenants as one person may have."],
    "operator.last_admin": [409, "Somebody else has to be an admin first."],
  },
  NOT_FOUND: {
    "metrics.token": [401, "The metrics are shown to whoever sends METRICS_TOKEN."],
    "metrics.closed": [403, "No METRICS_TOKEN is set, so the metrics are not shown at this address."],
    "tenant.not_found": [404, "No such tenant."],
    "reference.not_found": [404, "No key of this tenant carries this reference."],
    "conflict.not_found": [404, "No such conflicts of this tenant."],
    "audit.not_found": [404, "No such entry of this chain."],
    "outbox.not_found": [404, "No such outbox message."],
    "inbox.not_found": [404, "No such inbox message."],
    "topic.not_found": [404, "No such topic."],
    "consumer.not_found": [404, "No such consumer."],
    "policy.not_found": [404, "No operation of this name."],
    "plan.not_found": [404, "No such plan of this tenant."],
    "view.not_found": [404, "No such view of this tenant."],
    "alert_destination.not_found": [404, "No such destination of this tenant's alerts."],
    "alert_rule.not_found": [404, "No such condition."],
    "attachment.not_found": [404, "No such attachment of this tenant."],
    "webhook_endpoint.not_found": [404, "No such endpoint of this tenant."],
    "event_source.secret_not_found": [404, "No such valid secret."],
    "api_client.not_found": [404, "No such client of this tenant."],
    "api_key.not_found": [404, "No such key of this client."],
    "operator.not_found": [404, "No such operator."],
  },
};

/** An operation's policy may answer another command under the same key with this status. */
const OTHER_STATUS: Readonly<Record<string, number>> = { "idempotency.payload_mismatch": 422 };

function rowsOf(table: ErrorTable): ErrorRow[] {
  return Object.entries(table).flatMap(([group, codes]) =>
    Object.entries(codes).map(([code, [status, means, retry]]) =>
      rowOf({ code, group: group as ErrorGroup, status, means, retryable: retry === RETRY }),
    ),
  );
}

function rowOf(
  error: Pick<ErrorRow, "code" | "group" | "means" | "retryable"> & { readonly status: number },
): ErrorRow {
  const { group, code, status, retryable, means } = error;
  return {
    group,
    code,
    status: [status, OTHER_STATUS[code] ?? []].flat(),
    retryable,
    means,
    category: categoryOf(error),
    names: {
      playbook: playbookName(error),
      fault: faultName(code),
      article: articleName(code),
      mesh: meshName(code),
    },
  };
}

/** Every code of our own. */
const [OF_API, OF_ADMIN] = [rowsOf(API_ERRORS), rowsOf(ADMIN_ERRORS)];

/** Codes about the key itself. */
export const KEY_CODES: readonly string[] = OF_API.filter(({ group }) => group === "IDEMPOTENCY").map(
  ({ code }) => code,
);

/** @param modules what modules refuse with @returns every code that a caller may get, ours and theirs */
export function errorRows(modules: Readonly<Record<string, ErrorEntry>>): readonly ErrorRow[] {
  const theirs = Object.entries(modules).map(([code, { status, means, retryable = false, category }]) =>
    rowOf({ code, group: BY_STATUS[status] ?? category ?? "CONFLICT", status, means, retryable }),
  );
  return [...OF_API, ...theirs, ...OF_ADMIN];
}

const BY_STATUS: Readonly<Record<number, ErrorGroup>> = { 404: "NOT_FOUND", 409: "CONFLICT" };
