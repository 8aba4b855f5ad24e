import type { Queryable } from "@/db/client";
import { callScalar } from "@/db/named-call";
import type { MessageSide } from "@/domain/messages/side";

/** A claimed message as its owner names it: with a stale fence nothing is written. */
export interface HeldMessage {
  readonly id: string;
  readonly fence: number;
}

/** One attempt of either side that did not work. */
export interface FailedAttempt extends HeldMessage {
  readonly tenantId: string;
  /** Stable code, for groups and counts. */
  readonly errorCode: string;
  /** One sentence, without values of the payload. */
  readonly error: string;
  readonly errorFingerprint: string;
  /** Milliseconds until the next attempt. */
  readonly delayMs: number;
  /** Attempts after which the message is dead; 0: dead at once. */
  readonly maxAttempts: number;
  /** Names the row of this attempt, and the dead letter should it become one. */
  readonly attemptId: string;
}

/** @returns `failed`: it waits for its next attempt; `fenced`: another process owns it, nothing was written */
export async function failMessage(
  db: Queryable,
  side: MessageSide,
  input: FailedAttempt,
): Promise<"failed" | "dead" | "fenced"> {
  type Fate = "pending" | "recorded" | "dead" | "fenced";
  const state = (await callScalar<Fate>(db, `fail_${side}`, input)) ?? "fenced";
  return state === "pending" || state === "recorded" ? "failed" : state;
}

/** Moves acknowledged messages to the history. @param transport what carried them @returns the ids that were ours to move */
export function publishOutbox(
  db: Queryable,
  tenantId: string,
  messages: readonly HeldMessage[],
  transport: string,
): Promise<string[]> {
  return onHeld(db, { name: "publish_outbox", types: ["text"], values: [transport] }, tenantId, messages);
}

export interface HandledMessage extends HeldMessage {
  readonly result: string;
}

/** recorded → processed, in the transaction of the effects. @returns the ids that were still ours; with any missing: roll back. */
export function finishInbox(db: Queryable, tenantId: string, handled: readonly HandledMessage[]): Promise<string[]> {
  const results = handled.map((message) => message.result);
  return onHeld(db, { name: "finish_inbox", types: ["text[]"], values: [results] }, tenantId, handled);
}

/** Why nothing can be sent to a destination now. */
export interface Outage {
  /** Milliseconds until the messages are looked at again. */
  readonly delayMs: number;
  readonly errorCode: string;
  readonly error: string;
}

/** Gives claimed messages back unsent, without counting an attempt. @returns how many were still ours. */
export async function releaseOutbox(
  db: Queryable,
  tenantId: string,
  messages: readonly HeldMessage[],
  outage?: Outage,
): Promise<number> {
  const values = [outage?.delayMs ?? 0, outage?.errorCode, outage?.error];
  const call = { name: "release_outbox", types: ["integer", "text", "text"], values };
  return (await onHeld<number>(db, call, tenantId, messages))[0] ?? 0;
}

/**
 * Gives messages back for later without counting an attempt.
 *
 * @param options.delayMs milliseconds until they are due again
 * @param options.alone handle them singly from then on
 * @returns how many were still ours
 */
export async function postponeInbox(
  db: Queryable,
  tenantId: string,
  messages: readonly HeldMessage[],
  options: { readonly delayMs: number; readonly alone: boolean },
): Promise<number> {
  const values = [options.delayMs, options.alone];
  const call = { name: "postpone_inbox", types: ["integer", "boolean"], values };
  return (await onHeld<number>(db, call, tenantId, messages))[0] ?? 0;
}

interface HeldCall {
  /** Of the function, which takes tenant, ids and fences first. */
  readonly name: string;
  /** Of its further parameters. */
  readonly types: readonly string[];
  readonly values: readonly unknown[];
}

/** @returns what the function answers; nothing without messages */
async function onHeld<Answer = string>(
  db: Queryable,
  { name, types, values }: HeldCall,
  tenantId: string,
  messages: readonly HeldMessage[],
): Promise<Answer[]> {
  if (messages.length === 0) return [];
  const further = types.map((type, index) => `,$${String(index + 4)}::${type}`).join("");
  const { rows } = await db.query<{ answer: Answer }>({
    name,
    text: `select answer from onceboard.${name}($1,$2::uuid[],$3::integer[]${further}) as answer`,
    values: [tenantId, messages.map(({ id }) => id), messages.map(({ fence }) => fence), ...values],
  });
  return rows.map(({ answer }) => answer);
}
