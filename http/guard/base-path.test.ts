import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import type { ApiEnv } from "../env";
import { readPathInside, writeAddressesBelow } from "./base-path";

const app = new Hono<ApiEnv>({ getPath: readPathInside("/ops") });
app.use(writeAddressesBelow("/ops"));
const PATH = "/api/v1/operations/1";
app.get("/accepted", (c) => c.json({ operationId: "1", href: PATH }, 202, { location: PATH }));
app.get("/refused", (c) =>
  c.json({ type: "/api/v1/docs#error-x", detail: "see /api/v1/docs#x." }, 409, {
    link: '</api/v1/docs#x>; rel="describedby"',
  }),
);
app.get("/kept", () => new Response('{"href":"/api/v1/docs"}', { status: 201, headers: { location: "/api/v1/a" } }));
app.get("/elsewhere", (c) => c.redirect("https://login.example.com/x"));
app.get("/empty", () => new Response(null, { status: 204 }));

const ask = async (path: string) => {
  const answer = await app.request(path);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

describe("PATH-1 an answer that leaves a deployment below a base path", () => {
  it("of a command under way names where to look, in its header and in its body", async () => {
    const { headers, text, status } = await ask("/ops/accepted");
    expect([status, headers.get("location")]).toEqual([202, `/ops${PATH}`]);
    expect(JSON.parse(text)).toEqual({ operationId: "1", href: `/ops${PATH}` });
  });

  it("of a refusal names the documentation where it is", async () => {
    const { headers, text, status } = await ask("/ops/refused");
    expect([status, headers.get("link")]).toEqual([409, '</ops/api/v1/docs#x>; rel="describedby"']);
    expect(JSON.parse(text)).toEqual({ type: "/ops/api/v1/docs#error-x", detail: "see /ops/api/v1/docs#x." });
  });

  it("keeps the bytes of a success, and addresses of others", async () => {
    const kept = await ask("/ops/kept");
    expect([kept.text, kept.headers.get("location")]).toEqual(['{"href":"/api/v1/docs"}', "/ops/api/v1/a"]);
    expect((await ask("/ops/elsewhere")).headers.get("location")).toBe("https://login.example.com/x");
    expect(await ask("/ops/empty")).toMatchObject({ status: 204, text: "" });
  });

  it("is not there beside the path", async () => {
    for (const path of ["/accepted", "/opsx/accepted", "/"]) expect((await ask(path)).status).toBe(404);
  });
});
