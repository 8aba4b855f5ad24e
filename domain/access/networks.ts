import ipaddr from "ipaddr.js";

/** An address or a network: `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`. */
export function isNetwork(text: string): boolean {
  return text.includes("/") ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text);
}

/**
 * Whether an address lies in one of these networks. IPv4 in the form of IPv6 counts as IPv4.
 * @param networks each passes {@link isNetwork}
 */
export function isWithin(address: string, networks: readonly string[]): boolean {
  const [bare = ""] = address.split("%", 1);
  if (!ipaddr.isValid(bare)) return false;
  const parsed = ipaddr.process(bare);
  return networks.some((network) => {
    if (!network.includes("/")) return ipaddr.process(network).toString() === parsed.toString();
    const [base, bits] = ipaddr.parseCIDR(network);
    return base.kind() === parsed.kind() && parsed.match(base, bits);
  });
}
