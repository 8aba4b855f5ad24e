import { createColumnHelper, rowSelectionFeature, tableFeatures } from "@tanstack/react-table";
import type { TableRow } from "./types";

/**
 * What our tables can do. Sorting, filtering and paging are the server's work and live in the address, so no client
 * row model is declared: a page of rows is drawn exactly as it came.
 */
export const features = tableFeatures({ rowSelectionFeature });

export const columnHelper = createColumnHelper<typeof features, TableRow>();
