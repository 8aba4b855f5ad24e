import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ROLES } from "../idempotency/states";
import { readGrants, roleInTenant, tenantsNamed } from "./grants";

const role = fc.constantFrom(...ROLES);
const tenant = fc.constantFrom("acme", "globex", "constructor", "tostring");

describe("a grant is of one tenant or of all", () => {
  it("gives the role of the tenant where there is one, else that on all tenants, else none", () => {
    fc.assert(
      fc.property(fc.option(role), fc.dictionary(tenant, role), tenant, (all, tenants, asked) => {
        const grants = readGrants({ role: all, tenants });
        const own = Object.entries(tenants).find(([name]) => name === asked)?.[1];
        expect(roleInTenant(grants, asked)).toBe(own ?? all ?? undefined);
      }),
    );
  });

  it("finds no grant in a name that every object has", () => {
    expect(roleInTenant({ role: undefined, tenants: {} }, "constructor")).toBeUndefined();
    expect(roleInTenant({ role: undefined }, "tostring")).toBeUndefined();
  });

  it("gives nothing for a role that this version does not know, and does not fall back to the one on all tenants", () => {
    expect(readGrants({ role: "owner", tenants: { acme: "owner" } })).toEqual({
      role: undefined,
      tenants: { acme: undefined },
    });
    expect(roleInTenant(readGrants({ role: "viewer", tenants: { acme: "owner" } }), "acme")).toBeUndefined();
    expect(tenantsNamed(readGrants({ role: null, tenants: { acme: "owner" } }))).toEqual([]);
  });

  it("names the tenants only where not all are granted", () => {
    expect(tenantsNamed({ role: "viewer", tenants: { acme: "admin" } })).toBeUndefined();
    expect(tenantsNamed({ role: undefined, tenants: { acme: "admin" } })).toEqual(["acme"]);
    expect(tenantsNamed({ role: undefined })).toEqual([]);
  });
});
