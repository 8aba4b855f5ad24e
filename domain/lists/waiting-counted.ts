/** Messages that are counted of a topic, of each lane of the inbox, and of a side as a whole: where as many or more wait, a page says "10,000+". */
export const WAITING_COUNTED = 10_000;
