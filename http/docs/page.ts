import { createHash } from "node:crypto";
import { ERRORS } from "./errors";
import { OPERATIONS, type Operation } from "./paths";

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
code{font-family:ui-monospace,monospace;overflow-wrap:anywhere}table{border-collapse:collapse;width:100%}
td,th{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-bottom:1px solid #8884}
section{margin:2rem 0}:target{outline:2px solid;outline-offset:.25rem}`;

/** No script, nothing from elsewhere, and one style sheet that is named by its hash. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** @returns the document for people: calls, the key's rules, and every error under the address that problems name. */
export function docsPage(ttlHours: number): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Onceboard API</title><style>${STYLE}</style></head><body><main>
<h1>Onceboard API</h1>
<p>One effect per key, however often it is sent. The same as a document for machines: <a href="/api/v1/openapi.json">openapi.json</a>.</p>
<section id="idempotency-key"><h2>Idempotency-Key</h2>
<p>One key per business action, the same on every retry: <code>"abc"</code> (a Structured Fields string) or bare <code>abc</code>, 1 to 255
visible ASCII characters without comma, quote, semicolon or space. Both are the same key. It is remembered for ${String(ttlHours)} hours per
tenant and operation; a later retry is answered 410 and never executed.</p>
<p>2xx is done. 4xx other than 408 and 429 is final: stop, and correct the request. After 429, 5xx or a broken connection: the same request with
the same key, after <code>Retry-After</code>. The two 409 that say so in <code>retryable</code> are retried with the same key too.</p></section>
<section><h2>Calls</h2>${OPERATIONS.map((operation) => call(operation)).join("")}</section>
<section><h2>Errors</h2><table><thead><tr><th>Code</th><th>Status</th><th>Retry</th><th>Means</th></tr></thead><tbody>
${ERRORS.map(
  ({ code, status, retryable, means }) =>
    `<tr id="error-${escape(code.replaceAll(".", "-"))}"><td><code>${escape(code)}</code></td><td>${status.join(", ")}</td><td>${retryable ? "same key" : "no"}</td><td>${escape(means)}</td></tr>`,
).join("\n")}
</tbody></table></section></main></body></html>`;
}

function call({ method, path, id, summary, description, scopes, keyed, ok, errors }: Operation): string {
  const answers = ok.map(({ status, text }) => `${String(status)} ${text}`).join("; ");
  return `<section id="${escape(id)}"><h3><code>${method.toUpperCase()} /api/v1${escape(path)}</code></h3>
<p>${escape(summary)}. ${escape(description ?? "")}</p>
<p>${scopes ? `Scope: ${escape(scopes.join(" or "))}. ` : ""}${keyed === true ? 'Needs an <a href="#idempotency-key">Idempotency-Key</a>. ' : ""}Answers: ${escape(answers)}.
Own errors: ${errors.map((code) => `<a href="#error-${escape(code.replaceAll(".", "-"))}"><code>${escape(code)}</code></a>`).join(", ")}.</p></section>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
