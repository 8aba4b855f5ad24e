export interface EngineConfig {
  /** How long an owner may work before recovery takes over. Longer than the provider timeout. */
  readonly leaseSeconds: number;
  readonly idempotencyTtlHours: number;
  readonly bodyTtlHours: number;
  readonly metadataTtlDays: number;
  readonly providerTimeoutMs: number;
  /** Where this process stands; without it no tenant's home is asked for. */
  readonly region?: string | undefined;
}
