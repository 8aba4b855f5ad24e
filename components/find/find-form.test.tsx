// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { useContext, type ReactNode } from "react";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { inApp } from "@/components/parts/in-app";
import { inLive } from "@/components/parts/in-live";
import { FindForm } from "./find-form";

const asked: (string | undefined)[] = [];
const pushed: string[] = [];
let server: Server;

/** Names that start with "one" are of one thing, with "two" of two; "broken" has no answer. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const query = new URL(request.url ?? "/", "http://a").searchParams.get("q") ?? "";
    asked.push(`${String(request.headers["onceboard-tenant"])} ${query}`);
    if (query === "broken") {
      response.destroy();
      return;
    }
    const targets = [{ href: "/operations/1" }, { href: "/operations/2" }].slice(0, query.startsWith("one") ? 1 : 2);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ kind: "found", targets }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  window.location.href = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
afterEach(() => {
  cleanup();
  asked.length = 0;
  pushed.length = 0;
});

function WithRouter({ children }: { readonly children: ReactNode }) {
  const router = useContext(AppRouterContext);
  if (router === null) throw new Error("no router");
  return <AppRouterContext value={{ ...router, push: (href) => void pushed.push(href) }}>{children}</AppRouterContext>;
}

function search(text: string): void {
  render(
    inApp(
      inLive(
        <WithRouter>
          <FindForm>
            <input name="q" aria-label="name" defaultValue={text} />
          </FindForm>
        </WithRouter>,
        { tenant: "globex" },
      ),
    ),
  );
  fireEvent.submit(screen.getByRole("search"));
}

it.each([
  ["one-7", "/operations/1"],
  ["two-7", "/find?q=two-7"],
  ["broken", "/find?q=broken"],
])("a search for %s leads to %s by one page", async (text, href) => {
  search(` ${text} `);
  await waitFor(() => {
    expect(pushed).toEqual([href]);
  });
  expect(asked).toEqual([`globex ${text}`]);
});

it("asks for nothing when nothing was typed", () => {
  search("  ");
  expect(screen.getByRole("search").getAttribute("aria-busy")).toBe("false");
  expect(asked).toEqual([]);
});
