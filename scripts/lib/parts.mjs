import ts from "typescript";

const isComponent = (name) => /^[A-Z]/.test(name);

function decides(node) {
  if (ts.isConditionalExpression(node) || ts.isIfStatement(node) || ts.isSwitchStatement(node)) return true;
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken) return true;
  return ts.forEachChild(node, decides) ?? false;
}

function namesIn(node, found = new Set()) {
  if (ts.isIdentifier(node)) found.add(node.text);
  ts.forEachChild(node, (child) => void namesIn(child, found));
  return found;
}

/** @returns {Map<string, { exported: boolean, decides: boolean, isFunction: boolean, uses: Set<string> }>} the values that a file declares */
function declarations({ path, text }) {
  const found = new Map();
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true, ts.ScriptKind.TSX);
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) continue;
    const exported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
    const isFunction = ts.isFunctionDeclaration(statement);
    for (const one of ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement]) {
      const name = one.name?.text;
      const isType = ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one);
      if (name && !isType) found.set(name, { exported, isFunction, decides: decides(one), uses: namesIn(one) });
    }
  }
  return found;
}

/**
 * An exported component decides when it has a branch, or a component that only its file knows has one. An exported name means one
 * thing (names.mjs), so a name leads to its file.
 * @param {readonly { path: string, text: string }[]} files
 * @param {string} root name of the list of all samples
 * @returns {string[]} exported components that decide something and that no sample shows, sorted
 */
export function unshownComponents(files, root) {
  const all = files.map(declarations);
  const owners = new Map(
    all.flatMap((own) => [...own].filter(([, { exported }]) => exported).map(([name]) => [name, own])),
  );
  const shown = new Set();
  const visit = (own, name) => {
    const { uses } = own.get(name);
    if (shown.has(uses)) return;
    shown.add(uses);
    for (const used of uses) {
      if (own.has(used)) visit(own, used);
      else if (owners.has(used)) visit(owners.get(used), used);
    }
  };
  visit(owners.get(root), root);
  const hasBranch = (own, name, seen = new Set()) => {
    const one = own.get(name);
    if (one === undefined || seen.has(name)) return false;
    seen.add(name);
    const parts = [...one.uses].filter((used) => isComponent(used) && own.get(used)?.exported === false);
    return one.decides || parts.some((used) => hasBranch(own, used, seen));
  };
  return [...owners]
    .filter(([name, own]) => isComponent(name) && own.get(name).isFunction && !shown.has(own.get(name).uses))
    .filter(([name, own]) => hasBranch(own, name))
    .map(([name]) => name)
    .sort();
}
