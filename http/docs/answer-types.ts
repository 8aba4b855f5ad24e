import { join } from "node:path";
import ts from "typescript";
import type { JsonSchema } from "./schemas";

/** Functions that register a route whose handler's type says what it answers, with the method; see admin/declare.ts. */
const REGISTER: Readonly<Record<string, string>> = { read: "GET", list: "GET", act: "POST" };

const FEW_VALUES = 12;

export interface AnswerTypes {
  /** `GET /operations` → what its body looks like. */
  readonly bodies: ReadonlyMap<string, JsonSchema>;
  /** Types that have a name, each once. */
  readonly named: ReadonlyMap<string, JsonSchema>;
}

/**
 * What the admin routes answer: the types that their handlers return, as the compiler knows them, so that a changed view is a
 * changed document.
 *
 * @param root of the repository
 * @param under folder of the routes
 * @throws Error for a type that JSON cannot carry
 */
export function answerTypes(root: string, under: string): AnswerTypes {
  const configPath = join(root, "tsconfig.json");
  const { config } = ts.readConfigFile(configPath, (path) => ts.sys.readFile(path)) as { readonly config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const files = ts.sys.readDirectory(under, [".ts"]).filter((file) => !/\.test\.ts$/.test(file));
  const program = ts.createProgram(files, { ...options, incremental: false });
  const reader = new AnswerReader(program.getTypeChecker());
  for (const file of files) {
    const source = program.getSourceFile(file);
    if (source !== undefined) ts.forEachChild(source, (node) => reader.visit(node));
  }
  return reader;
}

class AnswerReader implements AnswerTypes {
  readonly bodies = new Map<string, JsonSchema>();
  readonly named = new Map<string, JsonSchema>();
  readonly #typeOfName = new Map<string, ts.Type>();
  readonly #checker: ts.TypeChecker;

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  visit(node: ts.Node): void {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const method = REGISTER[node.expression.text];
      if (method !== undefined) this.#note(node, method);
    }
    ts.forEachChild(node, (child) => this.visit(child));
  }

  #note(call: ts.CallExpression, method: string): void {
    const [, , path, , run] = call.arguments;
    const paths = path === undefined ? [] : this.#pathsOf(path);
    if (paths.length === 0 || run === undefined) return;
    const [signature] = this.#checker.getSignaturesOfType(this.#checker.getTypeAtLocation(run), ts.SignatureKind.Call);
    if (signature === undefined) return;
    const returned = this.#checker.getReturnTypeOfSignature(signature);
    const answer = this.#checker.getAwaitedType(returned) ?? returned;
    const body = answer.getProperty("jsonBody");
    const schema = this.#schemaOf(body === undefined ? answer : this.#checker.getTypeOfSymbol(body));
    for (const each of paths) this.bodies.set(`${method} ${each}`, schema);
  }

  /** Of a template too: its parts have a few values. */
  #pathsOf(node: ts.Expression): string[] {
    const literal = this.#checker.getTypeAtLocation(node);
    if (literal.isStringLiteral()) return [literal.value];
    if (!ts.isTemplateExpression(node)) return [];
    return node.templateSpans.reduce(
      (paths, { expression, literal }) => {
        const type = this.#checker.getTypeAtLocation(expression);
        const values = (type.isUnion() ? type.types : [type]).flatMap((each) =>
          each.isStringLiteral() ? each.value : [],
        );
        return paths.flatMap((path) => values.map((value) => path + value + literal.text));
      },
      [node.head.text],
    );
  }

  #schemaOf(type: ts.Type): JsonSchema {
    const name = this.#nameOf(type);
    if (name === undefined) return this.#inlineOf(type);
    const known = this.#typeOfName.get(name);
    if (known !== undefined && known !== type) return this.#inlineOf(type);
    if (known === undefined) {
      this.#typeOfName.set(name, type);
      this.named.set(name, this.#inlineOf(type));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #inlineOf(type: ts.Type): JsonSchema {
    if (type.isUnion()) return this.#unionOf(type);
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {};
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: this.#checker.typeToString(type) === "true" };
    if (type.flags & ts.TypeFlags.StringLike) return { type: "string" };
    if (type.flags & ts.TypeFlags.NumberLike) return { type: "number" };
    if (type.flags & ts.TypeFlags.BooleanLike) return { type: "boolean" };
    if (type.flags & ts.TypeFlags.Null) return { type: "null" };
    if (this.#checker.typeToString(type) === "Date") return { type: "string", format: "date-time" };
    if (this.#checker.isTupleType(type)) return this.#tupleOf(type as ts.TypeReference);
    if (this.#checker.isArrayType(type)) {
      const [item] = this.#checker.getTypeArguments(type as ts.TypeReference);
      return { type: "array", items: item === undefined ? {} : this.#schemaOf(item) };
    }
    if (type.isIntersection() && type.types.some((part) => this.#nameOf(part) !== undefined)) {
      return { allOf: type.types.map((each) => this.#schemaOf(each)) };
    }
    if (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return this.#objectOf(type);
    throw new Error(`JSON cannot carry ${this.#checker.typeToString(type)}`);
  }

  #unionOf(type: ts.UnionType): JsonSchema {
    const parts = type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
    if (parts.length === 1 && parts[0] !== undefined) return this.#schemaOf(parts[0]);
    const booleans = parts.filter(({ flags }) => flags & ts.TypeFlags.BooleanLiteral);
    const literals = parts.flatMap((part) => (part.isStringLiteral() || part.isNumberLiteral() ? [part.value] : []));
    const rest = parts.filter((part) => !part.isStringLiteral() && !part.isNumberLiteral() && !booleans.includes(part));
    const all = [
      ...(literals.length > 0 ? [{ enum: literals.sort() }] : []),
      ...(booleans.length === 2 ? [{ type: "boolean" }] : booleans.map((each) => this.#inlineOf(each))),
      ...rest.map((each) => this.#schemaOf(each)),
    ];
    return all.length === 1 && all[0] !== undefined ? all[0] : { anyOf: all };
  }

  #tupleOf(type: ts.TypeReference): JsonSchema {
    const items = this.#checker.getTypeArguments(type).map((each) => this.#schemaOf(each));
    return { type: "array", prefixItems: items, minItems: items.length, maxItems: items.length };
  }

  #objectOf(type: ts.Type): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const member of this.#checker.getPropertiesOfType(type)) {
      const of = this.#checker.getTypeOfSymbol(member);
      if (this.#checker.getSignaturesOfType(of, ts.SignatureKind.Call).length > 0) {
        throw new Error(`${this.#checker.typeToString(type)}.${member.name} is a function`);
      }
      properties[member.name] = this.#schemaOf(of);
      if (!(member.flags & ts.SymbolFlags.Optional) && !mayBeUndefined(of)) required.push(member.name);
    }
    const index = this.#checker.getIndexTypeOfType(type, ts.IndexKind.String);
    return {
      type: "object",
      properties,
      ...(required.length > 0 && { required }),
      ...(index && { additionalProperties: this.#schemaOf(index) }),
    };
  }

  /** An interface, or an alias of an object type, of this repository; a generic one is another type each time. */
  #nameOf(type: ts.Type): string | undefined {
    if (type.aliasSymbol !== undefined) {
      return type.aliasTypeArguments === undefined && isOurs(type.aliasSymbol) && this.#isComposite(type)
        ? type.aliasSymbol.name
        : undefined;
    }
    if (!type.isClassOrInterface() || type.typeParameters !== undefined) return undefined;
    return isOurs(type.symbol) ? type.symbol.name : undefined;
  }

  /** A few texts are a list of values, which says more than its name. */
  #isComposite(type: ts.Type): boolean {
    const parts = type.isUnion() ? type.types : [type];
    return (
      parts.length > FEW_VALUES || parts.some(({ flags }) => flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))
    );
  }
}

function mayBeUndefined(type: ts.Type): boolean {
  return (type.isUnion() ? type.types : [type]).some(({ flags }) => flags & ts.TypeFlags.Undefined);
}

function isOurs(symbol: ts.Symbol): boolean {
  return symbol.declarations?.every((node) => !/\/node_modules\//.test(node.getSourceFile().fileName)) ?? false;
}
