import { describe, expect, it } from "vitest";
import { addressBehind } from "./client-address";

const BALANCERS = ["10.0.0.0/8", "192.0.2.7", "fd00::/8"];

describe("addressBehind", () => {
  it.each([
    ["no header: the socket", "10.0.0.1", undefined, "10.0.0.1"],
    ["a stranger's header does not count", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["one balancer", "10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["two balancers in a row", "10.0.0.1", "198.51.100.1, 192.0.2.7", "198.51.100.1"],
    ["what a caller wrote before it does not count", "10.0.0.1", "1.2.3.4, 198.51.100.1", "198.51.100.1"],
    ["an entry of ours that a caller wrote does not hide it", "10.0.0.1", "10.9.9.9, 198.51.100.1", "198.51.100.1"],
    ["the socket as IPv4 within IPv6", "::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["IPv6 with brackets and a port", "fd00::1", "[2001:db8::7]:443", "2001:db8::7"],
    ["IPv4 with a port", "10.0.0.1", "198.51.100.1:5123", "198.51.100.1"],
    ["rubbish: the balancer that wrote it", "10.0.0.1", "198.51.100.1, unknown", "10.0.0.1"],
    ["an empty header", "10.0.0.1", "", "10.0.0.1"],
    ["a network is no address", "10.0.0.1", "198.51.100.0/24", "10.0.0.1"],
    ["only balancers: the first of them", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["no socket", undefined, "198.51.100.1", undefined],
  ])("%s", (_what, socket, forwarded, address) => {
    expect(addressBehind(socket, forwarded, BALANCERS)).toBe(address);
  });

  it("trusts nobody unless it is said", () => {
    expect(addressBehind("127.0.0.1", "198.51.100.1", [])).toBe("127.0.0.1");
  });

  it("reads a long header from its end only", () => {
    const long = [...Array.from({ length: 50_000 }, () => "10.0.0.9"), "198.51.100.1"].join(", ");
    expect(addressBehind("10.0.0.1", long, BALANCERS)).toBe("198.51.100.1");
  });
});
