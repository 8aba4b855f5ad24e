import { callContext, keepContext, withContext, type Deadline } from "../call-context";
import { OutOfTimeError, timeLeftMs } from "../deadline";
import { AppError } from "@/domain/errors";
import { databaseErrorCode, isConnectionError } from "../errors";

/** Bounds of one kind of batch. There is no time to wait: what is here goes as soon as a statement may. */
export interface BatchLimits {
  /** Most members of one statement. */
  readonly rows: number;
  /** Most bytes of one statement, by {@link BatchWork.bytesOf}; a member that is larger goes alone. */
  readonly bytes: number;
  /** Most statements under way at once; what comes meanwhile gathers for the next. */
  readonly atOnce: number;
  /** A statement that takes longer, ms, because it waits for a lock or its server stands still, does not count as under way any more. */
  readonly countsMs: number;
  /** Most members that wait; whoever comes then goes alone, within the bounds of the pool. */
  readonly waiting: number;
}

/** What is done with members, alone or together. */
export interface BatchWork<Member, Verdict> {
  readonly limits: BatchLimits;
  bytesOf(member: Member): number;
  /** Members of different groups take turns, so that no tenant fills the batches alone. */
  groupOf(member: Member): string;
  /** Members of one key are never under way at once: one waits until the other's is committed. Missing: all may share a statement. */
  keyOf?(member: Member): string;
  /** The same as without batches. It has the caller's own deadline. */
  one(member: Member): Promise<Verdict>;
  /** One statement and one commit. @returns a verdict for each member, in their order. When it throws, nothing of it stands, unless the connection failed. */
  many(members: readonly Member[]): Promise<readonly Verdict[]>;
  /** Whether an error of `many` says that nothing of it stands. Missing: where the server answered with an error. */
  wasUndone?(error: unknown): boolean;
}

interface Waiting<Member, Verdict> {
  readonly member: Member;
  readonly deadline: Deadline | undefined;
  /** Its caller was told that the time is over. */
  gone: boolean;
  readonly alone: () => Promise<Verdict>;
  resolve(verdict: Verdict | Promise<Verdict>): void;
  reject(error: unknown): void;
  stage: "waiting" | "together" | "alone";
}

/**
 * Members that are in the process in the same turn of the event loop share one statement. A lone one goes at once and as it would
 * without this. A batch that the database refuses is undone by it: its members then go alone, once, so that one bad member costs
 * its neighbours a second statement and nothing else.
 */
export class TurnBatch<Member, Verdict> {
  private readonly work: BatchWork<Member, Verdict>;
  private waiting: Waiting<Member, Verdict>[] = [];
  private underWay = 0;
  private readonly keysUnderWay = new Set<string>();
  private scheduled = false;

  constructor(work: BatchWork<Member, Verdict>) {
    this.work = work;
  }

  /**
   * @throws OutOfTimeError when the caller's time is over first: `not_started` while it waits, `unanswered` once its statement was sent
   * @throws the driver's error of its own statement
   */
  submit(member: Member): Promise<Verdict> {
    const { limits } = this.work;
    if (this.waiting.length >= limits.waiting || this.work.bytesOf(member) > limits.bytes) return this.work.one(member);
    const entry: Waiting<Member, Verdict> = {
      member,
      deadline: callContext()?.deadline,
      alone: keepContext(() => this.work.one(member)),
      stage: "waiting",
      gone: false,
      resolve: () => undefined,
      reject: () => undefined,
    };
    const verdict = new Promise<Verdict>((resolve, reject) => {
      entry.resolve = resolve;
      entry.reject = reject;
    });
    this.waiting.push(entry);
    this.schedule();
    const left = timeLeftMs();
    if (left === Infinity) return verdict;
    const timer = setTimeout(() => giveUp(entry), Math.max(0, left));
    const ended = (): void => clearTimeout(timer);
    verdict.then(ended, ended);
    return verdict;
  }

  private schedule(): void {
    if (this.scheduled || this.underWay >= this.work.limits.atOnce) return;
    this.scheduled = true;
    // After all sockets of this turn were read. Nobody's deadline or transaction is the batch's.
    setImmediate(() => {
      this.scheduled = false;
      withContext({ deadline: undefined, transaction: undefined }, () => this.go());
    });
  }

  private go(): void {
    const { atOnce } = this.work.limits;
    while (this.waiting.length > 0 && this.underWay < atOnce) {
      const batch = this.take();
      if (batch.length === 0) return;
      this.underWay += 1;
      let counted = true;
      const ended = (): void => {
        if (counted) this.underWay -= 1;
        counted = false;
        if (this.waiting.length > 0) this.schedule();
      };
      const slow = setTimeout(ended, this.work.limits.countsMs);
      void this.run(batch).finally(() => {
        clearTimeout(slow);
        for (const { member } of batch) this.leave(member);
        ended();
      });
    }
  }

  /** The next batch: one member of each group in turn. Members whose callers are gone are dropped, and were never sent. */
  private take(): Waiting<Member, Verdict>[] {
    const { limits } = this.work;
    const groups = new Map<string, Waiting<Member, Verdict>[]>();
    for (const entry of this.waiting) {
      if (isGone(entry)) entry.reject(new OutOfTimeError("not_started"));
      else {
        const group = this.work.groupOf(entry.member);
        const known = groups.get(group);
        if (known === undefined) groups.set(group, [entry]);
        else known.push(entry);
      }
    }
    const queues = [...groups.values()];
    const batch: Waiting<Member, Verdict>[] = [];
    let bytes = 0;
    let full = false;
    for (let turn = 0; !full && queues.some((queue) => queue.length > turn); turn += 1) {
      for (const queue of queues) {
        const entry = queue[turn];
        if (entry === undefined || !this.mayGo(entry.member)) continue;
        bytes += this.work.bytesOf(entry.member);
        full = batch.length >= limits.rows || (bytes > limits.bytes && batch.length > 0);
        if (full) break;
        entry.stage = "together";
        this.enter(entry.member);
        batch.push(entry);
      }
    }
    this.waiting = this.waiting.filter((entry) => entry.stage === "waiting" && !isGone(entry));
    return batch;
  }

  private mayGo(member: Member): boolean {
    const key = this.work.keyOf?.(member);
    return key === undefined || !this.keysUnderWay.has(key);
  }

  private enter(member: Member): void {
    const key = this.work.keyOf?.(member);
    if (key !== undefined) this.keysUnderWay.add(key);
  }

  private leave(member: Member): void {
    const key = this.work.keyOf?.(member);
    if (key !== undefined) this.keysUnderWay.delete(key);
  }

  private wasUndone(error: unknown): boolean {
    return this.work.wasUndone?.(error) ?? wasUndone(error);
  }

  private async run(batch: readonly Waiting<Member, Verdict>[]): Promise<void> {
    const [first] = batch;
    if (batch.length === 1 && first !== undefined) {
      await settle(first);
      return;
    }
    let verdicts: readonly Verdict[];
    try {
      verdicts = await this.work.many(batch.map(({ member }) => member));
      if (verdicts.length !== batch.length) throw new Error("a batch was answered for another number of members");
    } catch (error) {
      if (this.wasUndone(error)) await Promise.all(batch.map(settle));
      else for (const entry of batch) entry.reject(error);
      return;
    }
    for (const [index, entry] of batch.entries()) entry.resolve(verdicts[index] as Verdict);
  }
}

/** By itself it keeps its caller's deadline, and knows best what may have come of it. */
async function settle<Member, Verdict>(entry: Waiting<Member, Verdict>): Promise<void> {
  if (entry.gone) return;
  entry.stage = "alone";
  try {
    entry.resolve(await entry.alone());
  } catch (error) {
    entry.reject(error);
  }
}

/** The caller's time is over: nothing was sent for it, or nobody knows what becomes of the batch that it is in. */
function giveUp<Member, Verdict>(entry: Waiting<Member, Verdict>): void {
  if (entry.stage === "alone") return;
  entry.gone = true;
  entry.reject(new OutOfTimeError(entry.stage === "waiting" ? "not_started" : "unanswered"));
}

/** The server answered with an error, so the statement left nothing. Where the connection failed, members alone would fare no better. */
function wasUndone(error: unknown): boolean {
  if (error instanceof AppError) return error.certainty === "definite";
  return databaseErrorCode(error) !== undefined && !isConnectionError(error);
}

function isGone({ gone, deadline }: Pick<Waiting<unknown, unknown>, "gone" | "deadline">): boolean {
  return gone || (deadline !== undefined && !deadline.lifted && deadline.at <= performance.now());
}
