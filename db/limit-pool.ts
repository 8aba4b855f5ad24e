import type pg from "pg";
import { keepContext } from "./call-context";
import { OutOfTimeError, timeLeftMs } from "./deadline";

type Callback = (...results: unknown[]) => unknown;
type Call = (...args: unknown[]) => unknown;

/** Limits of connections whose transaction has a statement timeout of its own, in ms. */
const timeoutMs = new WeakMap<pg.ClientBase, number>();

/** Waits for each statement of this connection as long as that, or as the pool does by default. @param ms undefined: the default again */
export function waitOn(client: pg.ClientBase, ms: number | undefined): void {
  if (ms === undefined) timeoutMs.delete(client);
  else timeoutMs.set(client, ms);
}

/**
 * Bounds every wait of a pool on our side: `statement_timeout` and the like are kept by the server, which says nothing when it
 * hangs or when the way to it is cut without a word. A connection gets no statement once its caller's time is over; one whose
 * answer does not come in time is destroyed, so that nothing more is sent on it and the server takes back what was open.
 *
 * @param limitMs longest wait for an answer, where the caller's own deadline is not earlier
 */
export function limitPool(pool: pg.Pool, limitMs: number): void {
  const connect = pool.connect.bind(pool) as Call;
  const limitedConnect: Call = (callback) => {
    if (typeof callback === "function") {
      acquire(connect, keepContext(callback as Callback));
      return;
    }
    return new Promise((resolve, reject) => {
      acquire(connect, (error, client) => (error instanceof Error ? reject(error) : resolve(client)));
    });
  };
  Object.assign(pool, { connect: limitedConnect });
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as Call;
    const limitedQuery: Call = (...args) => {
      const left = Math.min(timeoutMs.get(client) ?? limitMs, timeLeftMs());
      if (left <= 0) return refuse(args);
      const timer = setTimeout(() => client.connection.stream.destroy(new OutOfTimeError("unanswered")), left);
      return whenEnded(query, args, () => clearTimeout(timer));
    };
    Object.assign(client, { query: limitedQuery });
  });
}

/** A connection that comes too late for its caller goes back unused. */
function acquire(connect: Call, done: Callback): void {
  const left = timeLeftMs();
  if (left <= 0) {
    process.nextTick(done, new OutOfTimeError("not_started"));
    return;
  }
  let late = false;
  const giveUp = (): void => {
    late = true;
    done(new OutOfTimeError("not_started"));
  };
  const timer = left === Infinity ? undefined : setTimeout(giveUp, left);
  connect((error: unknown, client: pg.PoolClient | undefined, release: unknown) => {
    clearTimeout(timer);
    if (late) client?.release();
    else done(error, client, release);
  });
}

function refuse(args: unknown[]): unknown {
  const error = new OutOfTimeError("not_started");
  const last = args.at(-1);
  if (typeof last !== "function") return Promise.reject(error);
  process.nextTick(last, error);
  return undefined;
}

/** Calls it as it was called, with a callback at the end or for a promise, and tells how it ended before its caller learns of it. */
export function whenEnded(call: Call, args: unknown[], done: (error: unknown) => void): unknown {
  const last = args.at(-1);
  if (typeof last === "function") {
    const callback = last as Callback;
    return call(...args.slice(0, -1), (error: unknown, ...results: unknown[]) => {
      done(error);
      return callback(error, ...results);
    });
  }
  const result = call(...args);
  if (result instanceof Promise) result.then(() => done(undefined), done);
  return result;
}
