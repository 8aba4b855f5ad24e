import { createServer, request } from "node:http";
import type { LookupAddress } from "node:dns";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { destinationProblem, isPublicAddress, publicLookup, UnsafeDestinationError } from "./safe-destination";

describe("an address of the open internet", () => {
  it.each(["8.8.8.8", "93.184.215.14", "2606:4700::1111", "[2a00:1450:4001:82a::200e]"])("is %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ["loopback", "127.0.0.1"],
    ["loopback", "127.255.255.254"],
    ["loopback, version 6", "::1"],
    ["unspecified", "0.0.0.0"],
    ["unspecified, version 6", "::"],
    ["private", "10.1.2.3"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.255"],
    ["private", "192.168.0.1"],
    ["unique local", "fd12:3456::1"],
    ["link-local, where clouds keep metadata", "169.254.169.254"],
    ["link-local, version 6", "fe80::1"],
    ["metadata, version 6", "fd00:ec2::254"],
    ["shared by carriers", "100.64.0.1"],
    ["benchmarks", "198.18.0.1"],
    ["documentation", "192.0.2.1"],
    ["documentation, version 6", "2001:db8::1"],
    ["multicast", "224.0.0.1"],
    ["multicast, version 6", "ff02::1"],
    ["broadcast", "255.255.255.255"],
    ["reserved", "240.0.0.1"],
    ["version 4 inside version 6", "::ffff:127.0.0.1"],
    ["version 4 inside version 6, in hex", "::ffff:7f00:1"],
    ["version 4 inside version 6, the old way", "::127.0.0.1"],
    ["through a translator", "64:ff9b::7f00:1"],
    ["6to4", "2002:7f00:1::"],
    ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    ["site-local, long gone", "fec0::1"],
    ["no address", "example.com"],
    ["nothing", ""],
  ])("is not one that is %s: %s", (_kind, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe("WEBHOOK-5 a URL that somebody else chose", () => {
  const strict = { allowPrivate: false };
  it.each(["https://hooks.shop.example/a?b=1", "https://8.8.8.8/", "https://[2606:4700::1111]:8443/"])(
    "may be %s",
    (url) => {
      expect(destinationProblem(new URL(url), strict)).toBeUndefined();
    },
  );

  it.each([
    "http://hooks.shop.example/",
    "ftp://hooks.shop.example/",
    "https://user:secret@hooks.shop.example/",
    "https://127.0.0.1/",
    // All of these are 127.0.0.1 in another spelling, which the URL parser reads.
    "https://0x7f.1/",
    "https://2130706433/",
    "https://017700000001/",
    "https://127.1/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://169.254.169.254/latest/meta-data",
    "https://localhost/",
    "https://metadata.localhost/",
  ])("may not be %s", (url) => {
    expect(destinationProblem(new URL(url), strict)).toBeDefined();
  });

  it("may be inside when the deployment allows it, and carries no password even then", () => {
    const demo = { allowPrivate: true };
    expect(destinationProblem(new URL("http://127.0.0.1:3000/"), demo)).toBeUndefined();
    expect(destinationProblem(new URL("http://user:secret@127.0.0.1/"), demo)).toBeDefined();
    expect(destinationProblem(new URL("file:///etc/passwd"), demo)).toBeDefined();
  });
});

describe("a name", () => {
  const answering = (...answers: readonly LookupAddress[][]) => {
    let asked = 0;
    return Object.assign(
      publicLookup((_name, _options, callback) => {
        const answer = answers[Math.min(asked, answers.length - 1)] ?? [];
        asked += 1;
        callback(null, answer);
      }),
      { asked: () => asked },
    );
  };
  const inside: LookupAddress = { address: "127.0.0.1", family: 4 };
  const outside: LookupAddress = { address: "8.8.8.8", family: 4 };
  const find = (lookup: ReturnType<typeof publicLookup>, all = true) =>
    new Promise((resolve, reject) => {
      lookup("hooks.shop.example", { all }, (error, address) => (error ? reject(error) : resolve(address)));
    });

  it("gives out public addresses, one or all of them", async () => {
    expect(await find(answering([outside]))).toEqual([outside]);
    expect(await find(answering([outside]), false)).toBe("8.8.8.8");
  });

  it("is refused when any of its addresses is inside, or when it has none", async () => {
    await expect(find(answering([outside, inside]))).rejects.toThrow(UnsafeDestinationError);
    await expect(find(answering([]))).rejects.toThrow(UnsafeDestinationError);
  });

  it("that nobody knows fails, and with an error come no addresses: as the system's own resolver calls back", async () => {
    const unknown = Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
    await expect(find(publicLookup((_name, _options, callback) => callback(unknown)))).rejects.toThrow("ENOTFOUND");
    const lookup = publicLookup();
    const asked = new Promise((resolve, reject) => {
      lookup("nobody.invalid", { all: true }, (error) => (error ? reject(error) : resolve(undefined)));
    });
    await expect(asked).rejects.toMatchObject({ syscall: "getaddrinfo" });
  });

  it("that leads outside first and inside when it is connected to (rebinding) reaches nothing", async () => {
    let reached = 0;
    const server = createServer((_request, response) => {
      reached += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const lookup = answering([outside], [inside]);
      // Somebody looks before sending, as a check that is not bound to the connection does: it finds nothing wrong.
      expect(await find(lookup)).toEqual([outside]);
      const result = await new Promise<unknown>((resolve) => {
        const outgoing = request({ host: "hooks.shop.example", port, lookup, agent: false }, () => {
          resolve("answered");
        });
        outgoing.on("error", resolve);
        outgoing.end();
      });
      expect(result).toBeInstanceOf(UnsafeDestinationError);
      expect(lookup.asked()).toBe(2);
      expect(reached).toBe(0);
      // The same connection, had nobody looked: it gets there.
      const open = await new Promise<unknown>((resolve) => {
        const outgoing = request(
          {
            host: "hooks.shop.example",
            port,
            agent: false,
            lookup: (_name, options, callback) => {
              if (options.all === true) callback(null, [inside]);
              else callback(null, inside.address, inside.family);
            },
          },
          () => {
            resolve("answered");
          },
        );
        outgoing.on("error", resolve);
        outgoing.end();
      });
      expect(open).toBe("answered");
      expect(reached).toBe(1);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
