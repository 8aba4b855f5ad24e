import { buildSearch } from "./search";

export function exportHref(
  name: string,
  tenant: string,
  filters: Readonly<Record<string, string | undefined>>,
): string {
  return `/api/v1/admin/exports/${name}${buildSearch({ ...filters, tenant })}`;
}
