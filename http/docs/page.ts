import { createHash } from "node:crypto";
import type { ErrorRow } from "./errors";
import { PROFILES, type ProfileRow } from "./profiles";
import type { ServedDocument, ServedOperation } from "./served";

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
code{font-family:ui-monospace,monospace;overflow-wrap:anywhere}table{border-collapse:collapse;width:100%}
td,th{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-bottom:1px solid #8884}
@media(min-width:48rem){td:first-child code{white-space:nowrap}}
@media(max-width:47.99rem){thead{display:none}td{display:block;border:0;padding:0}tr{display:block;border-bottom:1px solid #8884;padding:.5rem 0}}
section{margin:2rem 0}pre{white-space:pre-wrap;overflow-wrap:anywhere;padding:.5rem .75rem;border:1px solid #8884}:target{outline:2px solid;outline-offset:.25rem}`;

const KEY_PARAMETER = "#/components/parameters/IdempotencyKey";

/** No script, nothing from elsewhere, and one style sheet that is named by its hash. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** @returns the document for people: calls, the key's rules, and every error under the address that problems name. */
export function docsPage(
  document: ServedDocument,
  errors: readonly ErrorRow[],
  { ttlHours, basePath }: { readonly ttlHours: number; readonly basePath: string },
): string {
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => call(method, path, operation, basePath)),
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Onceboard API</title><style>${STYLE}</style></head><body><main>
<h1>Onceboard API</h1>
<p>One effect per key while its window is open, however often it is sent. The same as a document for machines: <a href="${basePath}/api/v1/openapi.json">openapi.json</a>.</p>
<section id="idempotency-key"><h2>Idempotency-Key</h2>
<p>One key per business action, the same on every retry: <code>"abc"</code> (a Structured Fields string) or bare <code>abc</code>, 1 to 255
visible ASCII characters without comma, quote, semicolon or space. Both are the same key. It is remembered for ${String(ttlHours)} hours per
tenant and operation, and a later retry is answered 410 and not executed, unless the tenant's policy says otherwise.</p>
<p>2xx is done. 4xx other than 408 and 429 is final: stop, and correct the request. After 429, 5xx or a broken connection: the same request with
the same key, after <code>Retry-After</code>. The two 409 that say so in <code>retryable</code> are retried with the same key too.</p></section>
<section id="profiles"><h2>Wire profiles</h2><p>One decision, several dresses: an API key has a profile, and refusals look like it. Successes, headers
and statuses are the same in all of them, but for the status of a conflict. A caller whom nobody knows is answered in the default profile.</p>
${PROFILES.map((profile) => renderPage(profile)).join("")}</section>
<section><h2>Calls</h2>${calls.join("")}</section>
<section id="errors"><h2>Errors</h2><p>Retry: whether the same request under the same key can succeed later. The code is what the default profile says, and
what stands in logs and events; below its meaning are its names in the other profiles and in the mesh. A playbook's name begins with its class.</p>
<table><thead><tr><th>Code</th><th>Status</th><th>Retry</th><th>Means, and its names</th></tr></thead><tbody>
${errors.map((row) => errorRow(row)).join("\n")}
</tbody></table></section></main></body></html>`;
}

function errorRow({ code, status, retryable, means, names }: ErrorRow): string {
  const cells = [
    `<code>${escape(code)}</code>`,
    status.join(", "),
    retryable ? "same key" : "no",
    `${escape(means)}<br><small>${namesOf(names)}</small>`,
  ];
  return `<tr id="error-${escape(code.replaceAll(".", "-"))}">${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}

/** Each name once, with the error formats that use it. */
function namesOf(names: ErrorRow["names"]): string {
  const users = new Map<string, string[]>();
  for (const [dress, name] of Object.entries(names)) users.set(name, [...(users.get(name) ?? []), dress]);
  return [...users].map(([name, dresses]) => `${dresses.join(", ")} <code>${escape(name)}</code>`).join("; ");
}

function renderPage({ name, means, type, mismatch, example }: ProfileRow): string {
  return `<h3 id="profile-${name}"><code>${name}</code></h3><p>${escape(means)} Refusals are <code>${escape(type)}</code>; another command under the
same key is ${escape(mismatch)}:</p><pre><code>${escape(JSON.stringify(example, null, 2))}</code></pre>`;
}

function call(method: string, path: string, operation: ServedOperation, basePath: string): string {
  const { operationId, summary, description = "", responses, parameters = [], servers: [server] = [] } = operation;
  const answers = Object.entries(responses).flatMap(([status, { description: text }]) =>
    text === undefined ? [] : [`${status} ${text}`],
  );
  const keyed = parameters.some(({ $ref }) => $ref === KEY_PARAMETER);
  const mesh = operation["x-dress"] === "mesh";
  return `<section id="${escape(operationId)}"><h3><code>${method.toUpperCase()} ${escape((server?.url ?? `${basePath}/api/v1`) + path)}</code></h3>
<p>${escape(`${summary}. ${description}`)}</p>
<p>${listed("Scope", operation["x-scopes"])}${listed("Role of a person", operation["x-roles"])}${keyed ? 'Needs an <a href="#idempotency-key">Idempotency-Key</a>. ' : ""}${mesh ? "Answers in the mesh's envelope, whatever the profile. " : ""}Answers: ${escape(answers.join("; "))}.
${ownErrors(operation["x-errors"])}</p></section>`;
}

function listed(name: string, words: readonly string[] | undefined): string {
  return words === undefined ? "" : `${name}: ${escape(words.join(" or "))}. `;
}

function ownErrors(codes: readonly string[] = []): string {
  if (codes.length === 0) return "";
  return `Own errors: ${codes.map((code) => `<a href="#error-${escape(code.replaceAll(".", "-"))}"><code>${escape(code)}</code></a>`).join(", ")}.`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
