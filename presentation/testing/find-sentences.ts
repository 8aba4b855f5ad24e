import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** What one source file says to people. */
export interface FileSentences {
  readonly file: string;
  /** Constants at its top whose elements are sentences with a predicate: lists of claims, or records of such lists. */
  readonly claimLists: readonly string[];
  /** Sentences that are filled in with facts and stand outside any claim, as they are written. */
  readonly others: readonly string[];
  /** Sentences without a fact in them that stand outside any claim: they say the same wherever they are shown. */
  readonly fixed: readonly string[];
}

/** @param folders relative to the working directory @returns every file that says something, by its path */
export function findSentences(...folders: readonly string[]): readonly FileSentences[] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !/\.(?:test|samples)\.tsx?$|(?:^|\/)testing\//.test(name))
      .map((name) => join(folder, name)),
  );
  return files.sort().map((file) => sentencesInFile(file, readFileSync(file, "utf8")));
}

/** @param text what the file holds */
export function sentencesInFile(file: string, text: string): FileSentences {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const others: string[] = [];
  const fixed: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isClaim(node, source)) return;
    if (ts.isTemplateExpression(node) && isSentence(node)) others.push(node.getText(source));
    const text = fixedSentence(node);
    if (text !== undefined) fixed.push(text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const claimLists = source.statements.flatMap((statement) =>
    ts.isVariableStatement(statement)
      ? statement.declarationList.declarations
          .filter((each) => isClaimList(each, source))
          .map((each) => each.name.getText(source))
      : [],
  );
  return { file, claimLists, others, fixed };
}

/** Four words or more, closed by a full stop: shorter ones are labels. */
function fixedSentence(node: ts.Node): string | undefined {
  if (!ts.isJsxText(node) && !ts.isStringLiteral(node) && !ts.isNoSubstitutionTemplateLiteral(node)) return undefined;
  const text = node.text.replace(/\s+/g, " ").trim();
  return /[a-z]{2,} [a-z]/i.test(text) && text.split(" ").length >= 4 && /[.!?]$/.test(text) ? text : undefined;
}

/** Filled in with facts, of more words than one, and closed by a full stop. */
function isSentence(node: ts.TemplateExpression): boolean {
  if (node.templateSpans.every(({ expression }) => isConstant(expression))) return false;
  const texts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  return texts.at(-1)?.endsWith(".") === true && /[a-z]{2,} /.test(texts.join(" X "));
}

/** Functions that write what they are handed, and read nothing else. */
const WRITERS = /^(?:String|Number|plural|format\w+)$/;

/** A constant in capitals, a literal, a sum of such, or one of them written out: no row makes it false. */
function isConstant(node: ts.Expression): boolean {
  if (ts.isIdentifier(node)) return /^[A-Z][A-Z\d_]*$/.test(node.text);
  if (ts.isNumericLiteral(node) || ts.isStringLiteral(node)) return true;
  if (ts.isPropertyAccessExpression(node) || ts.isParenthesizedExpression(node)) return isConstant(node.expression);
  if (ts.isBinaryExpression(node)) return isConstant(node.left) && isConstant(node.right);
  return ts.isCallExpression(node) && WRITERS.test(node.expression.getText()) && node.arguments.every(isConstant);
}

/** Functions that make a claim of a name, a predicate and words are called so. */
const MAKERS = /^(?:claim|reason|forecast|first|together|shared|leansTo|statement|\w+Claim)$/;

/** A predicate with its words, written out or made. */
function isClaim(node: ts.Node, source: ts.SourceFile): boolean {
  if (ts.isObjectLiteralExpression(node)) {
    const names = node.properties.map((property) => property.name?.getText(source));
    return names.includes("holds") && names.includes("words");
  }
  return ts.isCallExpression(node) && MAKERS.test(node.expression.getText(source));
}

function isClaimList({ initializer }: ts.VariableDeclaration, source: ts.SourceFile): boolean {
  let at: ts.Node | undefined = initializer;
  while (at !== undefined && (ts.isAsExpression(at) || ts.isSatisfiesExpression(at))) at = at.expression;
  if (at === undefined || (!ts.isArrayLiteralExpression(at) && !ts.isObjectLiteralExpression(at))) return false;
  let found = false;
  const visit = (node: ts.Node): void => {
    found ||= isClaim(node, source);
    if (!found) ts.forEachChild(node, visit);
  };
  ts.forEachChild(at, visit);
  return found;
}
