import { describe, expect, it } from "vitest";
import { readBody } from "@/auth/sign-in/read-body";
import { z } from "zod";
import { readBytes } from "./read-bytes";

/** A request whose sender goes away after some bytes, as Node's server shows it. */
function brokenOff(headers: Readonly<Record<string, string>>): Request {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from('{"a":'));
    },
    pull(controller) {
      controller.error(Object.assign(new Error("aborted"), { code: "ECONNRESET" }));
    },
  });
  // The types of the browser do not know that a body goes out while it is made.
  const init: RequestInit & { readonly duplex: "half" } = { method: "POST", headers, body, duplex: "half" };
  return new Request("http://localhost/", init);
}

describe("HTTP-6 a body whose sender goes away", () => {
  it.each([
    ["of a length that was said", { "content-length": "10" }],
    ["in chunks", { "transfer-encoding": "chunked" }],
  ])("%s is a bad request, and not a database that is away", async (_, headers) => {
    await expect(readBytes(brokenOff(headers))).rejects.toMatchObject({ code: "validation.request", status: 400 });
    await expect(readBody(brokenOff(headers), z.unknown())).rejects.toMatchObject({ code: "validation.request" });
  });
});
