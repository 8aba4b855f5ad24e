/** Messages of the outbox that were looked at, by topic and what they came from. */
export interface SentPart {
  readonly topic: string;
  readonly operation?: string | undefined;
  readonly origin?: string | undefined;
  readonly count: number;
}

/** Arrivals that were looked at, by consumer and what brought them. */
export interface TakenPart {
  readonly consumer: string;
  readonly source: string;
  /** The source is our own outbox. */
  readonly own: boolean;
  readonly topic?: string | undefined;
  readonly count: number;
  readonly processed: number;
  readonly entries: number;
}

/** The same of the window, where it was rolled up; and of the last day with what is open: what feeds what, also while nothing moves. */
export interface FlowSplit<Part> {
  readonly window: readonly Part[];
  readonly known: readonly Part[];
}

export interface FlowPart {
  /** Undefined: what it came from is not known. */
  readonly from: string | undefined;
  /** Of what the place did, 0 to 1. */
  readonly share: number;
}

/**
 * Whether all that a place did in the window was looked at: the messages that were found add up to what the roll-ups have.
 *
 * @param counts how many of the messages of a part the place did
 */
export function isWhole<Part>(
  { window }: FlowSplit<Part>,
  own: (part: Part) => boolean,
  counts: (part: Part) => number,
  done: number,
): boolean {
  return window.filter(own).reduce((sum, part) => sum + counts(part), 0) === done;
}

/**
 * How what a place did is split over what feeds it: as its messages of the window are, as those of the last day are where the window
 * has none. What fed it only before has the share 0.
 *
 * @param counts how many of the messages of a part the place did
 */
export function partsOf<Part>(
  { window, known }: FlowSplit<Part>,
  own: (part: Part) => boolean,
  counts: (part: Part) => number,
  from: (part: Part) => string | undefined,
): readonly FlowPart[] {
  const [now, before] = [window.filter(own), known.filter(own)];
  const sum = (parts: readonly Part[]): number => parts.reduce((total, part) => total + counts(part), 0);
  const counted = sum(now) > 0 ? now : before;
  const total = sum(counted);
  const names = new Set([...now, ...before].map(from));
  return [...names].map((name) => {
    const count = sum(counted.filter((part) => from(part) === name));
    return { from: name, share: total === 0 ? 0 : count / total };
  });
}
