import { Counter, type CounterConfiguration, Histogram, type HistogramConfiguration } from "prom-client";

/** Values of one label of one metric that are told apart. Beyond it Prometheus, and this process, would keep whatever somebody invents. */
export const MOST_LABEL_VALUES = 400;
const MOST_CHARACTERS = 100;
/** What stands for all the others. */
export const OTHER_VALUE = "other";

type Labels = Readonly<Record<string, string | number>>;

/** @returns the labels with what is one value too many, or longer than a name, as {@link OTHER_VALUE} */
function createLabelLimit(): (labels: Labels) => Record<string, string | number> {
  const known = new Map<string, Set<string>>();
  const bounded = (name: string, value: string | number): string | number => {
    const text = String(value);
    const values = known.get(name) ?? new Set<string>();
    if (values.has(text)) return value;
    if (values.size >= MOST_LABEL_VALUES || text.length > MOST_CHARACTERS) return OTHER_VALUE;
    known.set(name, values.add(text));
    return value;
  };
  return (labels) => {
    const limited: Record<string, string | number> = {};
    for (const name of Object.keys(labels)) limited[name] = bounded(name, labels[name] ?? "");
    return limited;
  };
}

/** A counter whose series have an end, whatever its labels are given. */
export function boundedCounter<Label extends string>(about: CounterConfiguration<Label>): Counter<Label> {
  const counter = new Counter(about);
  const limit = createLabelLimit();
  const inc = counter.inc.bind(counter) as (labels?: Labels | number, value?: number) => void;
  return Object.assign(counter, {
    inc: (labels?: Labels | number, value?: number): void =>
      inc(typeof labels === "object" ? limit(labels) : labels, value),
  });
}

/** A histogram whose series have an end, whatever its labels are given. */
export function boundedHistogram<Label extends string>(about: HistogramConfiguration<Label>): Histogram<Label> {
  const histogram = new Histogram(about);
  const limit = createLabelLimit();
  const observe = histogram.observe.bind(histogram) as (labels: Labels | number, value?: number) => void;
  return Object.assign(histogram, {
    observe: (labels: Labels | number, value?: number): void =>
      observe(typeof labels === "object" ? limit(labels) : labels, value),
  });
}
