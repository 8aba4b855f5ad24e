import { withTimeout } from "@/domain/with-timeout";

/** After a failed attempt to connect nobody tries again before so many ms: a batch does not knock once per message. */
export const LINK_COOLDOWN_MS = 500;

/** What a new line needs is there by then, or the line is given back. */
const PREPARE_MS = 10_000;

/** An open connection. */
export interface BrokerLine<T> {
  readonly value: T;
  /** Resolves when it is gone, for whatever reason; never rejects. */
  readonly lost: Promise<void>;
  close(): Promise<void>;
}

export interface Link<T> {
  /**
   * @param limitMs how long this caller waits for it
   * @returns the open line, a new one when the last is gone; all callers share one attempt
   * @throws LinkDownError
   */
  line(limitMs: number): Promise<BrokerLine<T>>;
  /** Gives the line back; nothing opens one again. */
  close(): Promise<void>;
}

export class LinkDownError extends Error {
  override readonly name = "LinkDownError";
}

/** Keeps one connection of a process: opened when it is first needed, and again after it was lost. @param dial bounded in time */
export function createLink<T>(dial: () => Promise<BrokerLine<T>>, restMs = LINK_COOLDOWN_MS): Link<T> {
  let current: Promise<BrokerLine<T>> | undefined;
  let closed = false;
  let down: { readonly until: number; readonly reason: string } | undefined;
  const open = (): Promise<BrokerLine<T>> => {
    const opening = dial();
    current = opening;
    const forget = (): void => {
      if (current === opening) current = undefined;
    };
    opening.then(
      (line) => line.lost.then(forget),
      (error: unknown) => {
        forget();
        down = { until: performance.now() + restMs, reason: reasonOf(error) };
      },
    );
    return opening;
  };
  return {
    async line(limitMs) {
      if (closed) throw new LinkDownError("The transport is closed");
      if (current === undefined && down !== undefined && performance.now() < down.until) {
        throw new LinkDownError(down.reason);
      }
      try {
        return await withTimeout(current ?? open(), limitMs, noAnswerInTime);
      } catch (error) {
        throw new LinkDownError(reasonOf(error), { cause: error });
      }
    },
    async close() {
      closed = true;
      // One that never opened, or is gone already, has nothing to give back.
      await current?.then((line) => line.close()).catch(() => undefined);
    },
  };
}

/**
 * Does what a new line needs before it is of use, and gives the line back when that fails. Ends when the line is lost, whatever
 * the client's own promises do: amqplib's closing of a channel, for one, never settles then.
 *
 * @throws whatever the work throws, LinkDownError when the line is lost or the time is up
 */
export async function prepare<R>(line: BrokerLine<unknown>, work: () => Promise<R>, limitMs = PREPARE_MS): Promise<R> {
  const lost = line.lost.then(() => {
    throw new LinkDownError("the connection was lost");
  });
  try {
    return await withTimeout(Promise.race([work(), lost]), limitMs, noAnswerInTime);
  } catch (error) {
    await line.close();
    throw error;
  }
}

/** For a wait of {@link withTimeout}. @throws LinkDownError */
export function noAnswerInTime(): never {
  throw new LinkDownError("no answer in time");
}

/** @returns a short reason without an address or a secret: the system's code where there is one. */
export function reasonOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1) {
    if ("code" in at && (typeof at.code === "string" || typeof at.code === "number")) return String(at.code);
    if (at instanceof AggregateError && at.errors.length > 0) return reasonOf(at.errors[0]);
    if (at instanceof LinkDownError) return at.message;
    if (at.cause === undefined) return at.name === "Error" ? at.message : at.name;
  }
  return "unknown";
}
