import { createHash } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { Life, LifeBefore } from "./life";

/** How a service of another language begins: docs/SQL-CONTRACT.md is all that it knows of us. */
export const OTHER_BEGINNINGS = [
  "other_draft",
  "other_two_steps",
  "other_sent",
  "other_declined",
  "other_lost",
  "other_no_effect",
  "other_working",
  "other_died_claimed",
  "other_died_prepared",
  "other_died_sent",
] as const;
export type OtherBeginning = (typeof OTHER_BEGINNINGS)[number];
export const REPLAYS = ["stored", "reference", "none"] as const;
export type Replay = (typeof REPLAYS)[number];

const OPERATION = "invoices.issue";
const OWNER = "billing-1";
const ANSWER = "{}";
const [OK, REFUSED] = [201, 402];

interface Claimed {
  readonly outcome: string;
  readonly operation_id: string;
  readonly fence: number;
  readonly attempts: number;
  readonly response_status: number | null;
  readonly asked_at: string;
}
interface Taken {
  readonly fence: number;
  readonly stage: string;
  readonly provider_key: string | null;
}

const sha = (text: string): Buffer => createHash("sha256").update(text).digest();

/** A service that speaks SQL only: it sends one invoice per key through a mail house, or writes a draft in one transaction. */
export async function beginInOtherService(at: LifeBefore, begins: OtherBeginning, replay: Replay): Promise<Life> {
  const key = uuidv7();
  const service = new OtherService(at, key, replay);
  await service.first(begins);
  return {
    ...at,
    key,
    operationId: service.operationId,
    client: () => at.env.context({ tenant: at.tenant }),
    send: (other) => service.ask(other !== undefined),
    recover: () => service.recover(),
  };
}

class OtherService {
  operationId = "";
  /** The resource as it is when somebody reads it: no two answers by reference need be equal. */
  #reads = 0;
  #mails = false;
  readonly #at: LifeBefore;
  readonly #key: string;
  readonly #replay: Replay;

  constructor(at: LifeBefore, key: string, replay: Replay) {
    this.#at = at;
    this.#key = key;
    this.#replay = replay;
  }

  #call<R>(name: string, args: Readonly<Record<string, unknown>>): Promise<R[]> {
    const all = { tenant: this.#at.tenant, ...args };
    const named = Object.keys(all).map((arg, index) => `p_${arg} => $${String(index + 1)}`);
    return this.#at.env.rows<R>(`select * from onceboard.${name}(${named.join(", ")})`, ...Object.values(all));
  }

  async #claim(other = false, asLocal = false): Promise<Claimed> {
    const [row] = await this.#call<Claimed>("claim", {
      operation: OPERATION,
      key: this.#key,
      operation_id: uuidv7(),
      principal: "billing",
      fingerprint: sha(other ? "another" : "one"),
      owner: OWNER,
      amount: 4_200,
      currency: "EUR",
      request_id: uuidv7(),
      ...(asLocal && { event_id: null }),
    });
    if (row === undefined) throw new Error("claim gave no row");
    return row;
  }

  async first(begins: OtherBeginning): Promise<void> {
    const claim = await this.#claim(false, begins === "other_draft");
    this.operationId = claim.operation_id;
    const { fence } = claim;
    if (begins === "other_draft" || begins === "other_two_steps") return this.#complete(fence, "COMPLETED", true);
    if (begins === "other_no_effect") return this.#retryable(fence);
    if (begins === "other_died_claimed") return this.#die();
    if (begins === "other_working") return undefined;
    this.#mails = true;
    return this.#mail(fence, begins);
  }

  /** The provider path, as far as the beginning says. */
  async #mail(fence: number, begins?: OtherBeginning): Promise<void> {
    const request = uuidv7();
    await this.#prepare(fence, request);
    if (begins === "other_died_prepared") return this.#die();
    await this.#owned("mark_sent", fence, { request });
    if (begins === "other_died_sent") return this.#die();
    if (begins === "other_lost") return this.#unknown(fence);
    const declined = begins === "other_declined";
    await this.#answer(request, declined ? "declined" : "succeeded");
    return this.#complete(fence, declined ? "FAILED_REPLAYABLE" : "COMPLETED", true);
  }

  /** A caller's request with the key, and what the service records of it. */
  async ask(other: boolean): Promise<void> {
    const claim = await this.#claim(other);
    const { outcome, response_status: status, fence } = claim;
    if (outcome === "claimed") return this.#mails ? this.#mail(fence) : this.#complete(fence, "COMPLETED", true);
    if (outcome === "replay") return this.#record("replayed", { status, served_hash: this.#hash()?.toString("hex") });
    if (outcome === "conflict")
      return this.#record("conflict", { status: 409, detail: { differingFields: ["amount"] } });
    if (outcome === "in_progress" || outcome === "unknown") return this.#record(outcome, { status: 409 });
    if (outcome === "expired") return this.#record("expired_retry", { status: 410 });
    return undefined;
  }

  /** What its own recovery does: frees what was never sent, else asks the mail house, which has it. */
  async recover(): Promise<void> {
    const [taken] = await this.#call<Taken>("take_over", {
      owner: OWNER,
      operation_id: this.operationId,
      now_please: true,
    });
    if (taken === undefined) return undefined;
    const { fence, stage, provider_key: providerKey } = taken;
    if (stage === "RECEIVED" || stage === "LOCAL_PAYMENT_CREATED" || providerKey === null)
      return this.#retryable(fence);
    const id = uuidv7();
    await this.#owned("journal_provider_request", fence, {
      id,
      provider_key: providerKey,
      provider: "mail-house",
      kind: "lookup",
    });
    await this.#answer(id, "succeeded");
    return this.#complete(fence, "COMPLETED", false);
  }

  #owned(name: string, fence: number, args: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    return this.#call(name, { operation_id: this.operationId, fence, ...args });
  }

  async #prepare(fence: number, id: string): Promise<void> {
    const provider = { provider_key: `mail_${this.operationId}`, provider: "mail-house", kind: "send" };
    await this.#owned("prepare_provider", fence, { id, ...provider, amount: 4_200, currency: "EUR" });
  }

  async #answer(request: string, outcome: string): Promise<void> {
    await this.#call("answer_provider", { request, outcome, reference: `m_${this.operationId}`, detail: outcome });
  }

  #hash(): Buffer | undefined {
    if (this.#replay !== "reference") return this.#replay === "stored" ? sha(ANSWER) : undefined;
    this.#reads += 1;
    return sha(`answer ${String(this.#reads)}`);
  }

  /** @param answers a caller is answered now */
  async #complete(fence: number, state: string, answers: boolean): Promise<void> {
    const stored = this.#replay === "stored" ? Buffer.concat([Buffer.from([0]), Buffer.from(ANSWER)]) : null;
    const message = { id: uuidv7(), aggregate_type: "invoice", aggregate_id: this.operationId, topic: "invoices" };
    const payload = { data: { operationId: this.operationId } };
    const outbox = [{ ...message, type: "invoice.issued", payload, headers: {} }];
    await this.#owned("complete", fence, {
      state,
      status: state === "COMPLETED" ? OK : REFUSED,
      replay: this.#replay,
      body: stored,
      resource_type: "invoice",
      resource_id: this.operationId,
      error_code: state === "COMPLETED" ? null : "invoice.refused",
      outbox: state === "COMPLETED" ? JSON.stringify(outbox) : null,
      ...(answers
        ? { client: "billing", request_id: uuidv7(), served_hash: this.#hash() ?? null }
        : { event_id: null }),
    });
  }

  async #retryable(fence: number): Promise<void> {
    await this.#owned("fail_retryable", fence, { error_code: "dependency.unavailable" });
  }

  async #unknown(fence: number): Promise<void> {
    await this.#owned("mark_unknown", fence, { error_code: "dependency.timeout" });
  }

  async #die(): Promise<void> {
    await this.#at.env.rows(
      "update onceboard.idempotency_open set locked_until = clock_timestamp() - interval '1 second' where tenant_id = $1 and operation_id = $2",
      ...[this.#at.tenant, this.operationId],
    );
  }

  async #record(outcome: string, more: Readonly<Record<string, unknown>>): Promise<void> {
    const event = { tenant_id: this.#at.tenant, id: uuidv7(), operation_id: this.operationId, operation: OPERATION };
    const events = [{ ...event, at: new Date(), type: outcome, outcome, client: "billing", ...more }];
    await this.#at.env.rows("select onceboard.record_events($1)", JSON.stringify(events));
  }
}
