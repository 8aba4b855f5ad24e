/** A record that was delivered and waits for its answer. */
export interface Ticket<Rec> {
  readonly record: Rec;
}

/**
 * Which record of one partition may be committed: Kafka keeps one offset, so an answered record counts only once all before it
 * are answered. A partition that is delivered again from an earlier offset (after a rebalance) begins anew, and answers
 * to what was delivered before that count for nothing.
 */
export function createPartitionOffsets<Rec>() {
  let waiting: { readonly ticket: Ticket<Rec>; answered: boolean }[] = [];
  let last: bigint | undefined;
  return {
    delivered(offset: bigint, record: Rec): Ticket<Rec> {
      if (last !== undefined && offset <= last) waiting = [];
      last = offset;
      const ticket = { record };
      waiting.push({ ticket, answered: false });
      return ticket;
    },
    /** @returns the last record of those from the first on that are all answered; undefined when none became so */
    answered(ticket: Ticket<Rec>): Rec | undefined {
      const entry = waiting.find((each) => each.ticket === ticket);
      if (entry === undefined) return undefined;
      entry.answered = true;
      const open = waiting.findIndex((each) => !each.answered);
      return waiting.splice(0, open === -1 ? waiting.length : open).at(-1)?.ticket.record;
    },
  };
}

export type PartitionOffsets<Rec> = ReturnType<typeof createPartitionOffsets<Rec>>;
