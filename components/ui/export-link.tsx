"use client";

import { below } from "./base-path";
import type { ReactNode } from "react";
import { useLive } from "@/components/shell/live-provider";
import type { ExportName } from "@/presentation/list/export-rows";
import { exportHref } from "@/presentation/filters/exports";

export interface ExportLinkProps {
  readonly name: ExportName;
  /** As in docs/EXPORTS.md; the tenant that is looked at comes along. */
  readonly filters: Readonly<Record<string, string | undefined>>;
  readonly children: ReactNode;
}

/** Downloads a CSV. A plain link: the router would read the file as a page, and a prefetch would be audited. */
export function ExportLink({ name, filters, children }: ExportLinkProps) {
  const { tenant } = useLive();
  return (
    <a href={below(exportHref(name, tenant, filters))} title={`${name.replaceAll("-", " ")} as CSV`} download>
      {children}
    </a>
  );
}
