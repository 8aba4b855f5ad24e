import { describe, expect, it } from "vitest";
import { addressBucket, networkBucket, shownAddress } from "./address";

describe("who counts as one sender", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
    ["[2001:db8::1]", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["1.2.3.4, 5.6.7.8", "unknown"],
    ["", "unknown"],
    [undefined, "unknown"],
  ])("%j is %s", (address, bucket) => {
    expect(addressBucket(address)).toBe(bucket);
  });
});

describe("who is the neighbourhood of a sender", () => {
  it.each([
    ["192.0.2.7", "192.0.2.0/24"],
    ["::ffff:192.0.2.200", "192.0.2.0/24"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
    ["2001:db8:1:ffff::1", "2001:db8:1::/48"],
    ["no address", "unknown"],
  ])("%j is in %s", (address, bucket) => {
    expect(networkBucket(address)).toBe(bucket);
  });
});

describe("an address on a page", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:0db8:0000:0000:0000:0000:0000:0009", "2001:db8::9"],
    ["fe80::1%eth0", "fe80::1"],
    ["no address", "no address"],
    ["", "unknown"],
    [undefined, "unknown"],
  ])("%j reads %s", (address, shown) => {
    expect(shownAddress(address)).toBe(shown);
  });
});
