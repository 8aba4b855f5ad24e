import { NextRequest } from "next/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import { proxy } from "@/proxy";
import { wantsStrictTransport } from "@/domain/access/strict-transport";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("ACCESS-11 strict transport", () => {
  it("is asked of browsers where people come over TLS, and nowhere else", () => {
    expect(wantsStrictTransport("https://ops.example.com/onceboard")).toBe(true);
    expect(wantsStrictTransport("http://ops.example.com")).toBe(false);
    expect(wantsStrictTransport("http://https.example.com")).toBe(false);
    expect(wantsStrictTransport(undefined)).toBe(false);
  });

  it.each([
    ["/sign-in", "a page"],
    ["/operations", "the way to sign-in"],
  ])("%s: %s has it over https, a year long, and not over http", (path) => {
    const header = () =>
      proxy(new NextRequest(`https://ops.example.com${path}`)).headers.get("strict-transport-security");
    vi.stubEnv("PUBLIC_URL", "https://ops.example.com");
    expect(header()).toBe("max-age=31536000");
    vi.stubEnv("PUBLIC_URL", "http://ops.example.com");
    expect(header()).toBeNull();
  });
});
