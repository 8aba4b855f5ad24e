import { isIPv4, isIPv6 } from "node:net";

const IPV4_IN_IPV6 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
/** Groups of 16 bits that name one network: what one household or server is given, so what one guesser has. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;
const GROUP_BITS = 16;
/** Groups of an IPv6 address that a provider gives to one customer, who may number many networks below. */
const SITE_GROUPS = 3;
/** What everything that is no address shares: where Next alone brings the requests nobody has one. */
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
  return bucketOf(address, (ipv4) => ipv4, NETWORK_GROUPS);
}

/**
 * The neighbourhood of a sender: the /24 of an IPv4 address, the /48 of an IPv6 address. Whoever rents one address there can have its neighbours.
 * @returns as {@link addressBucket}
 */
export function networkBucket(address: string | undefined): string {
  return bucketOf(address, (ipv4) => `${ipv4.slice(0, ipv4.lastIndexOf("."))}.0/24`, SITE_GROUPS);
}

function bucketOf(address: string | undefined, ofIpv4: (ipv4: string) => string, groups: number): string {
  const bare = (address ?? "")
    .trim()
    .replace(/^\[|\]$/g, "")
    .replace(/%.*$/, "");
  const mapped = IPV4_IN_IPV6.exec(bare)?.[1];
  if (mapped !== undefined) return ofIpv4(mapped);
  if (isIPv4(bare)) return ofIpv4(bare);
  if (!isIPv6(bare)) return UNKNOWN_ADDRESS;
  const network = expand(bare)
    .slice(0, groups)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/${String(groups * GROUP_BITS)}`;
}
