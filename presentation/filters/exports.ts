import { buildSearch } from "./search";

/** @returns the address of an export, with the tenant that is looked at. */
export function exportHref(
  name: string,
  tenant: string,
  filters: Readonly<Record<string, string | undefined>>,
): string {
  return `/api/v1/admin/exports/${name}${buildSearch({ ...filters, tenant })}`;
}
