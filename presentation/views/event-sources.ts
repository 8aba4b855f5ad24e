export interface EventSourceRow {
  readonly source: string;
  readonly secretId: string;
  readonly createdAt: string;
  readonly expiresAt?: string | undefined;
}

export interface EventSourceSecretView extends EventSourceRow {
  readonly ended: boolean;
  /** The only valid secret of its source. */
  readonly last: boolean;
  readonly whyNotExpire?: string | undefined;
}

/** Who may send signed events; never a secret. */
export interface EventSourcesView {
  readonly at: string;
  readonly secrets: readonly EventSourceSecretView[];
  /** How long earlier secrets stay valid when another one is added. */
  readonly overlapHours: number;
  readonly whyNot?: string | undefined;
}
