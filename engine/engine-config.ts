export interface EngineConfig {
  /** How long an owner may work before recovery takes over. Longer than the provider timeout. */
  readonly leaseSeconds: number;
  readonly idempotencyTtlHours: number;
  readonly bodyTtlHours: number;
  readonly metadataTtlDays: number;
  readonly providerTimeoutMs: number;
  /** Days for which whoever had another's account in hand counts as the same person; SAME_PERSON_DAYS when left out. */
  readonly samePersonDays?: number | undefined;
  /** Whether payloads of messages are sealed when they are written; those in clear are read either way. */
  readonly sealPayloads?: boolean | undefined;
  /** ATTACH_HOSTS: where attached databases may be; anywhere without it. */
  readonly attachHosts?: readonly string[] | undefined;
  /** Where this process stands; without it no tenant's home is asked for. */
  readonly region?: string | undefined;
}
