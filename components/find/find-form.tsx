"use client";

import { below } from "@/components/ui/base-path";
import { usePathname } from "next/navigation";
import { useRouter } from "@/components/navigation/router";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useLive } from "@/components/shell/live-provider";

export interface FindFormProps {
  readonly className?: string | undefined;
  readonly label?: string | undefined;
  /** One field named `q`, and maybe a button. */
  readonly children: ReactNode;
}

/** A form that leads straight to the only thing of a name, else to the list of what was found. Works without script as a plain form. */
export function FindForm({ className, label, children }: FindFormProps) {
  const router = useRouter();
  const path = usePathname();
  const { tenant } = useLive();
  const [busy, setBusy] = useState(false);
  /** The last search; whoever went elsewhere or searches again does not want the one before. */
  const last = useRef(0);
  useEffect(
    () => () => {
      last.current += 1;
    },
    [path],
  );

  const find = async (query: string): Promise<void> => {
    last.current += 1;
    const own = last.current;
    setBusy(true);
    const href = await hrefOf(query, tenant);
    setBusy(false);
    if (last.current === own) router.push(href);
  };
  return (
    <form
      className={className}
      role="search"
      aria-label={label}
      aria-busy={busy}
      action={below("/find")}
      onSubmit={(event) => {
        event.preventDefault();
        const q = new FormData(event.currentTarget).get("q");
        const query = typeof q === "string" ? q.trim() : "";
        if (query !== "") void find(query);
      }}
    >
      {children}
    </form>
  );
}

/** What looks a name up is loaded with the first search; where it cannot be loaded, the list is the way. */
async function hrefOf(query: string, tenant: string): Promise<string> {
  const loaded = await import("./find-href").catch(() => undefined);
  return loaded === undefined ? `/find?q=${encodeURIComponent(query)}` : loaded.findHref(query, tenant);
}
