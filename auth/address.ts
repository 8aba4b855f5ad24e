import { isIPv4, isIPv6 } from "node:net";

const IPV4_IN_IPV6 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
/** Groups of 16 bits that name one network: what one household or server is given, so what one guesser has. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;
/** What everything that is no address shares: behind Next's own server nobody has one. */
export const UNKNOWN_ADDRESS = "unknown";

function expand(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, GROUPS - left.length - right.length);
  return [...left, ...Array<string>(zeros).fill("0"), ...right];
}

/** @returns an address as people write it: IPv4 without the clothes of IPv6, IPv6 without its zeros; `unknown` without one */
export function shownAddress(address: string | undefined): string {
  if (address === undefined || address === "") return UNKNOWN_ADDRESS;
  const mapped = IPV4_IN_IPV6.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [bare = ""] = address.split("%", 1);
  return new URL(`http://[${bare}]`).hostname.slice(1, -1);
}

/**
 * Who counts as one sender: an IPv4 address, or the /64 of an IPv6 address.
 * @param address as the socket or a trusted proxy gave it; may carry a zone or brackets
 * @returns a short name; everything that is no address shares {@link UNKNOWN_ADDRESS}
 */
export function addressBucket(address: string | undefined): string {
  const bare = (address ?? "")
    .trim()
    .replace(/^\[|\]$/g, "")
    .replace(/%.*$/, "");
  const mapped = IPV4_IN_IPV6.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return UNKNOWN_ADDRESS;
  const network = expand(bare)
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
