"use client";

import { askOwn } from "@/components/ui/base-path";
import { useRouter } from "@/components/navigation/router";
import { useEffect, useState } from "react";
import type { SavedViews } from "@/presentation/views/saved-views";
import type { PaletteCommand } from "./commands";
import { useLive } from "../live-provider";

const TIMEOUT_MS = 5_000;

/** Views that somebody here saved, read when the palette opens. Without an answer there are none; everything else works. */
export function useViewCommands(): readonly PaletteCommand[] {
  const router = useRouter();
  const { tenant } = useLive();
  const [views, setViews] = useState<readonly PaletteCommand[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    const read = async (): Promise<void> => {
      const response = await askOwn(`/api/v1/admin/views?tenant=${encodeURIComponent(tenant)}`, {
        signal: AbortSignal.any([stop.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      if (!response.ok) return;
      const { rows } = (await response.json()) as SavedViews;
      setViews(
        rows.map((view) => ({
          id: `view ${view.id}`,
          group: "Saved views",
          label: view.name,
          note: view.page.replaceAll("-", " "),
          words: `view list ${view.createdBy}`,
          run: () => {
            router.push(view.href);
          },
        })),
      );
    };
    read().catch(() => undefined);
    return () => {
      stop.abort();
    };
  }, [tenant, router]);
  return views;
}
