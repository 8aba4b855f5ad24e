/**
 * The three scales that our charts are drawn on, in the place of all of d3-scale (next.config.ts): recharts looks scales up by
 * name in the whole module, so a bundler can drop none of them, and they bring colours, dates and number formats along.
 */
export interface Scale<Value> {
  (value: Value): number | undefined;
  domain(): readonly Value[];
  domain(values: readonly Value[]): Scale<Value>;
  range(): readonly number[];
  range(values: readonly number[]): Scale<Value>;
  copy: () => Scale<Value>;
  bandwidth?: (() => number) | undefined;
  ticks?: ((count?: number) => readonly Value[]) | undefined;
}

const UNIT = [0, 1];
const TICKS = 10;

/** Numbers along a line; one without an extent lies at the start. */
export function scaleLinear(): Scale<number> {
  return make<number>(UNIT, (value, [low = 0, high = 1], [from = 0, to = 1]) =>
    high === low ? from : from + ((value - low) / (high - low)) * (to - from),
  );
}

/** Equal slots side by side; the value is the start of its slot. */
export function scaleBand(): Scale<string> {
  const scale = make<string>([], (value, values, [from = 0, to = 1]) => {
    const index = values.indexOf(value);
    return index === -1 ? undefined : from + (index * (to - from)) / Math.max(1, values.length);
  });
  return withWidth(scale, (values, extent) => extent / Math.max(1, values.length));
}

/** Points at equal distances, the first and the last at the ends. */
export function scalePoint(): Scale<string> {
  const scale = make<string>([], (value, values, [from = 0, to = 1]) => {
    const index = values.indexOf(value);
    if (index === -1) return undefined;
    return values.length === 1 ? (from + to) / 2 : from + (index * (to - from)) / (values.length - 1);
  });
  return withWidth(scale, () => 0);
}

type Place<Value> = (value: Value, domain: readonly Value[], range: readonly number[]) => number | undefined;

function make<Value>(first: readonly Value[], place: Place<Value>): Scale<Value> {
  let domain = first;
  let range: readonly number[] = UNIT;
  const scale = ((value: Value) => place(value, domain, range)) as Scale<Value>;
  const get = { domain: () => domain, range: () => range };
  scale.domain = ((values?: readonly Value[]) => {
    if (values === undefined) return get.domain();
    domain = [...values];
    return scale;
  }) as Scale<Value>["domain"];
  scale.range = ((values?: readonly number[]) => {
    if (values === undefined) return get.range();
    range = [...values];
    return scale;
  }) as Scale<Value>["range"];
  scale.copy = () => make(domain, place).range(range);
  if (typeof first[0] === "number") scale.ticks = (count = TICKS) => steps(domain as never, count) as never;
  return scale;
}

function withWidth(scale: Scale<string>, width: (values: readonly string[], extent: number) => number): Scale<string> {
  scale.bandwidth = () => {
    const [from = 0, to = 1] = scale.range();
    return width(scale.domain(), Math.abs(to - from));
  };
  const copy = scale.copy;
  scale.copy = () => withWidth(copy(), width);
  return scale;
}

function steps([low = 0, high = 1]: readonly number[], count: number): readonly number[] {
  const step = (high - low) / Math.max(1, count);
  return step === 0 ? [low] : Array.from({ length: count + 1 }, (_, index) => low + index * step);
}
