/** One attempt of either side that did not work. */
export interface FailedAttempt {
  readonly tenantId: string;
  readonly id: string;
  readonly fence: number;
  /** Stable code, for groups and counts. */
  readonly errorCode: string;
  /** One sentence, without values of the payload. */
  readonly error: string;
  readonly errorFingerprint: string;
  /** Milliseconds until the next attempt. */
  readonly delayMs: number;
  /** Attempts after which the message is dead; 0 says dead at once. */
  readonly maxAttempts: number;
  /** Names the row of this attempt, and the dead letter should it become one. */
  readonly attemptId: string;
}

export function failedAttemptValues(input: FailedAttempt): unknown[] {
  return [
    input.tenantId,
    input.id,
    input.fence,
    input.errorCode,
    input.error,
    input.errorFingerprint,
    input.delayMs,
    input.maxAttempts,
    input.attemptId,
  ];
}
