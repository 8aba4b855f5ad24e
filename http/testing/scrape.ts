/** One sample of the Prometheus text format. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g;

/** @throws Error naming the first line that is no sample and no comment: a scraper would give up there */
export function readSamples(text: string): Sample[] {
  const samples: Sample[] = [];
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [, name, labels = "", value] = LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`not a sample: ${line}`);
    samples.push({
      name,
      labels: Object.fromEntries([...labels.matchAll(LABEL)].map(([, label = "", held = ""]) => [label, held])),
      value: value === "+Inf" ? Infinity : Number(value),
    });
  }
  return samples;
}

/** @returns the sum over all samples of this name that have these labels. */
export function sumOf(samples: readonly Sample[], name: string, labels: Readonly<Record<string, string>> = {}): number {
  return samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, sample) => sum + sample.value, 0);
}
