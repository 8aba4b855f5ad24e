import ts from "typescript";

/** Names that Next gives a meaning to: it finds them in every page. */
const OF_NEXT = new Set(["metadata", "viewport", "dynamic", "revalidate", "generateMetadata", "Loading", "NotFound"]);
/** What does the same thing in programs that share no code, or for one framework each. */
const SAME_MEANING = new Set(["freePort", "idempotent"]);

const isType = (node) =>
  ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node);

/**
 * A component and the type of what it shows may share a name, so types and values are counted apart.
 * @param {string} path
 * @param {string} text
 * @returns {string[]} what a file declares and exports: "type Name" or "value name"
 */
export function exportedNames(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023);
  const names = new Set();
  for (const statement of source.statements) {
    const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
    if (!isExported) continue;
    const declared = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
    const kind = isType(statement) ? "type" : "value";
    for (const { name } of declared) if (name?.text !== undefined) names.add(`${kind} ${name.text}`);
  }
  return [...names];
}

/**
 * A name that two files export makes a reader ask which one is meant.
 * @param {readonly { path: string, names: readonly string[] }[]} files
 * @returns {{ name: string, paths: string[] }[]}
 */
export function doubleNames(files) {
  const owners = new Map();
  for (const { path, names } of files) {
    for (const name of names) owners.set(name, [...(owners.get(name) ?? []), path]);
  }
  return [...owners]
    .map(([name, paths]) => ({ name: name.replace(/^\w+ /, ""), paths }))
    .filter(({ name, paths }) => paths.length > 1 && !OF_NEXT.has(name) && !SAME_MEANING.has(name));
}
