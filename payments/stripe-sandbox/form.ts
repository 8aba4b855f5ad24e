/** What a form can say: text, lists and objects of it. */
export type FormValue = string | readonly FormValue[] | { readonly [name: string]: FormValue };
export type Form = Readonly<Record<string, FormValue>>;

const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

/** @returns the fields of a form or a query, `metadata[a]=b` and `types[0]=c` unfolded; undefined when a name is malformed. */
export function readForm(text: string): Form | undefined {
  const root = new Map<string, Node>();
  for (const [name, value] of new URLSearchParams(text)) {
    const match = NAME.exec(name);
    if (match === null) return undefined;
    const path = [match[1] ?? "", ...[...(match[2] ?? "").matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? "")];
    if (!put(root, path, value)) return undefined;
  }
  return Object.fromEntries([...root].map(([name, node]) => [name, fold(node)]));
}

type Node = string | Map<string, Node>;

function put(into: Map<string, Node>, [name = "", ...rest]: readonly string[], value: string): boolean {
  if (rest.length === 0) {
    into.set(name, value);
    return true;
  }
  const child = into.get(name) ?? new Map<string, Node>();
  if (typeof child === "string") return false;
  into.set(name, child);
  return put(child, rest, value);
}

function fold(node: Node): FormValue {
  if (typeof node === "string") return node;
  const entries = [...node].map(([name, child]): [string, FormValue] => [name, fold(child)]);
  const list = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return list ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

/** @returns the field when it is text. */
export function textOf(form: Form, name: string): string | undefined {
  const value = form[name];
  return typeof value === "string" ? value : undefined;
}

/** @returns the text fields of an object field, e.g. of `metadata`. */
export function objectOf(form: Form, name: string): Readonly<Record<string, string>> {
  const value = form[name];
  if (value === undefined || typeof value === "string") return {};
  const entries: [string, unknown][] = Object.entries(value);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
