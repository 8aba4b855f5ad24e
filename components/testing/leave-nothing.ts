import { afterAll, afterEach, vi } from "vitest";

/** Test files share their modules and, where they have a document, that too: each test and each file leaves nothing behind. */
const library = typeof document === "undefined" ? undefined : await import("@testing-library/react");

afterEach(() => library?.cleanup());
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  if (library !== undefined) document.body.replaceChildren();
});
