import type { Category } from "@/http/profiles/names";

type Told = readonly [status: number, means: string];

/** Refusals of the admin API alone; none of them succeeds under the same key. */
export const ADMIN_ERRORS: Readonly<Partial<Record<ErrorRow["group"], Readonly<Record<string, Told>>>>> = {
  VALIDATION: {
    "validation.filter": [400, "A filter is unknown or its value cannot be read; filters names each."],
    "validation.api_key": [422, "Not a client or key that can be made; the detail says why."],
    "validation.evidence": [422, "A decision needs evidence of the kind that it rests on."],
    "validation.event_secret": [422, "Not a secret that can sign events."],
    "validation.policy": [422, "Not a policy that can be used; errors names each setting."],
    "validation.topic": [422, "The topic cannot travel like that."],
    "validation.webhook_url": [422, "Webhooks cannot be sent to this address."],
    "tenant.missing": [400, "There are several tenants; say which."],
  },
  AUTH: {
    "auth.person_only": [403, "A person has to do or read this; an API key is no person."],
    "auth.confirmation_failed": [403, "The password or code did not prove who the person is."],
    "auth.code_wrong": [403, "The code is wrong or was used before."],
    "plan.own_request": [403, "Another person has to agree to the plan."],
  },
  CONFLICT: {
    "auth.two_factor_on": [409, "A second factor is on already."],
    "auth.two_factor_off": [409, "No second factor is on."],
    "session.own": [409, "This session asks; sign out instead."],
    "operation.not_open": [409, "The operation is settled, or its owner is still at work."],
    "operation.not_unknown": [409, "The operation does not wait for a decision."],
    "operation.contradicted": [409, "A final source says otherwise than the decision."],
    "topic.version_conflict": [409, "Somebody changed the topic meanwhile."],
    "topic.transport_not_configured": [422, "This deployment has no such transport."],
    "policy.version_conflict": [409, "Somebody changed the policy meanwhile."],
    "plan.state": [409, "The plan is not in a state for this step."],
    "plan.nothing": [422, "Nothing matches what the plan would freeze."],
    "plan.too_many": [422, "More rows match than one plan holds."],
    "export.too_many_rows": [422, "More rows match than one export holds."],
    "view.exists": [409, "There is a view of this name already."],
    "view.limit": [409, "The list has enough views."],
    "webhook_endpoint.exists": [409, "There is an endpoint of this address already."],
    "webhook_endpoint.limit": [409, "There are enough endpoints."],
    "webhook_endpoint.secrets": [409, "The endpoint has enough secrets that are still valid."],
    "event_source.secrets": [409, "The source has enough secrets that are still valid."],
    "event_source.last_secret": [409, "The source would have no valid secret left."],
    "api_client.exists": [409, "There is a client of this name already."],
    "api_client.limit": [409, "There are enough clients."],
    "api_key.limit": [409, "The client has enough keys that are valid."],
    "api_key.ended": [409, "The key is revoked or past its end."],
    "operator.exists": [409, "Somebody has this e-mail already."],
    "operator.self": [409, "Nobody does this to themselves."],
    "operator.last_admin": [409, "Somebody else has to be an admin first."],
  },
  NOT_FOUND: {
    "tenant.not_found": [404, "No such tenant."],
    "conflict.not_found": [404, "No such conflicts of this tenant."],
    "audit.not_found": [404, "No such entry of this chain."],
    "outbox.not_found": [404, "No such message that goes out."],
    "inbox.not_found": [404, "No such message that came in."],
    "topic.not_found": [404, "No such topic."],
    "consumer.not_found": [404, "No such consumer."],
    "policy.not_found": [404, "No operation of this name."],
    "plan.not_found": [404, "No such plan of this tenant."],
    "view.not_found": [404, "No such view of this tenant."],
    "webhook_endpoint.not_found": [404, "No such endpoint of this tenant."],
    "event_source.secret_not_found": [404, "No such secret that is valid."],
    "api_client.not_found": [404, "No such client of this tenant."],
    "api_key.not_found": [404, "No such key of this client."],
    "operator.not_found": [404, "No such operator."],
  },
};

/** One list of everything a caller may be told, for the document, its page and the tests. */
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
