import { parser } from "@prometheus-io/lezer-promql";

/** What an expression reads: `outbox_pending{side="a"}`, and the labels it groups by. */
export interface Selector {
  readonly metric: string;
  /** What it asks of labels; each alternative of `=~"a|b"` is one. */
  readonly labels: readonly { readonly name: string; readonly value: string }[];
}

export interface Expression {
  readonly selectors: readonly Selector[];
  /** Of `by (…)`, `without (…)`, `on (…)`, wherever they stand. */
  readonly grouping: readonly string[];
  /** What is compared, where the whole is `… > 0` or the like; else the whole. */
  readonly compared: string;
}

const COMPARISONS = ["Gtr", "Gte", "Lss", "Lte", "EqlC", "Neq"];

/**
 * @param text PromQL
 * @throws Error with the place where it is no PromQL
 */
export function readExpression(text: string): Expression {
  const tree = parser.parse(text);
  const selectors: { metric: string; labels: { name: string; value: string }[] }[] = [];
  const grouping: string[] = [];
  tree.iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`no PromQL at ${String(node.from)}: ${text}`);
      const said = text.slice(node.from, node.to);
      if (node.name === "VectorSelector") {
        const name = node.node.getChild("Identifier");
        if (name === null) throw new Error(`a selector without the name of a metric: ${said}`);
        selectors.push({ metric: text.slice(name.from, name.to), labels: [] });
      }
      if (node.name === "UnquotedLabelMatcher") {
        const [, name = "", value = ""] = /^(\w+)\s*[=!~]+\s*"(.*)"$/.exec(said) ?? [];
        for (const each of value.split("|")) selectors.at(-1)?.labels.push({ name, value: each });
      }
      if (node.name === "LabelName" && node.node.parent?.name === "GroupingLabels") grouping.push(said);
    },
  });
  const whole = tree.topNode.firstChild;
  const sign = COMPARISONS.map((each) => whole?.getChild(each)).find((node) => node !== null && node !== undefined);
  return { selectors, grouping, compared: sign === undefined ? text : text.slice(0, sign.from).trim() };
}
