import { lookup as systemLookup, type LookupAddress, type LookupOptions } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** Where the whole internet's addresses of version 6 are; everything else there is for special uses. */
const GLOBAL_V6 = ipaddr.parseCIDR("2000::/3");

/** A request was not made because it would have gone somewhere inside. */
export class UnsafeDestinationError extends Error {
  readonly code = "EUNSAFE";
  constructor(reason: string) {
    super(reason);
    this.name = "UnsafeDestinationError";
  }
}

/**
 * @returns whether an address belongs to the open internet: not loopback, private, link-local (cloud metadata), shared,
 *   multicast, reserved, nor a form of version 6 that wraps one of version 4
 */
export function isPublicAddress(address: string): boolean {
  const text = address.replace(/^\[|\]$/g, "");
  if (!ipaddr.isValid(text)) return false;
  const parsed = ipaddr.parse(text);
  if (parsed.range() !== "unicast") return false;
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(GLOBAL_V6);
}

/**
 * What speaks against a URL that somebody else chose, as far as it can be told without a look-up.
 *
 * @param options.allowPrivate for demos and tests: plain http and addresses inside are let through
 * @returns a sentence, or undefined when it may be tried
 */
export function destinationProblem(url: URL, options: { readonly allowPrivate: boolean }): string | undefined {
  if (url.username !== "" || url.password !== "") return "It must not carry a user name or a password.";
  if (url.protocol !== "https:" && !(options.allowPrivate && url.protocol === "http:")) {
    return "It must begin with https://.";
  }
  if (options.allowPrivate) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !isPublicAddress(host)) return "Its address is not on the open internet.";
  if (host === "localhost" || host.endsWith(".localhost")) return "Its address is not on the open internet.";
  return undefined;
}

type Resolve = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  // With an error there are none, whatever its own types say.
  callback: (error: NodeJS.ErrnoException | null, addresses?: LookupAddress[]) => void,
) => void;

/**
 * A `lookup` for Node's HTTP clients that gives out public addresses only. The connection goes to the very address that was
 * checked, so a name that answers differently the next time (DNS rebinding) wins nothing. One address inside is enough to refuse.
 *
 * @param resolve instead of the system's, for tests
 */
export function publicLookup(resolve: Resolve = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses = []) => {
      const [first] = addresses;
      if (error !== null || first === undefined) {
        callback(error ?? new UnsafeDestinationError("The name has no address"), "", 0);
        return;
      }
      if (!addresses.every(({ address }) => isPublicAddress(address))) {
        callback(new UnsafeDestinationError("The name leads to an address that is not on the open internet"), "", 0);
        return;
      }
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
