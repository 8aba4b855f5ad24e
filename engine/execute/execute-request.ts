/** One keyed request as the engine takes it. */
export interface ExecuteRequest<C> {
  /** The parsed idempotency key, 1–255 visible ASCII. */
  readonly key: string;
  readonly command: C;
  /** One of the operation's `versions`, where its caller asked for one. */
  readonly apiVersion?: string | undefined;
  /** `performance.now()` when the request arrived. */
  readonly receivedAt: number;
  /** Member order, notation of the amount; never values. */
  readonly shape?: () => Readonly<Record<string, unknown>>;
  /** The body or the arguments as they were sent; hashed for who sends other ones under this key. */
  readonly sent?: unknown;
  /** A window shorter than the policy's, in seconds. */
  readonly ttlSeconds?: number | undefined;
  /** What the caller is still willing to wait, in milliseconds from `receivedAt`. */
  readonly budgetMs?: number | undefined;
}
