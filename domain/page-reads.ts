/** Where a page was read from, in a deployment with a read replica. */
export type PageReadsFacts =
  | {
      readonly from: "replica";
      /** All that was committed before this is shown, RFC 3339 by the primary's clock; later commits may be. */
      readonly until: string;
      readonly behindMs: number;
      readonly behindBytes: number;
    }
  | {
      readonly from: "primary";
      /**
       * `silent`: the replica does not answer; `behind`: too far; `not_standby`: DATABASE_URL_READ is no standby of DATABASE_URL;
       * `acted`: it may not have yet what this person did; `left`: a read on it failed, or found nothing.
       */
      readonly why: "silent" | "behind" | "not_standby" | "acted" | "left";
      /** Of `behind`, where it is known. */
      readonly behindMs?: number | undefined;
    };
