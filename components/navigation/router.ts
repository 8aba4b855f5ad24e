"use client";

import { usePathname, useRouter as useNextRouter } from "next/navigation";
import { useMemo, useState, useTransition } from "react";
import { useReportPending } from "./navigation-pending";

type Router = ReturnType<typeof useNextRouter>;

/** The router, for whoever leads to another page: until that arrives it is said to be pending. */
export function useRouter(): Router {
  const router = useNextRouter();
  const here = usePathname();
  const [pending, start] = useTransition();
  const [target, setTarget] = useState(here);
  useReportPending(pending && target !== here ? target : undefined);
  return useMemo(() => {
    const lead = (href: string, go: () => void): void => {
      setTarget(href.split(/[?#]/, 1)[0] ?? "");
      start(go);
    };
    return {
      ...router,
      push: (href, options) => {
        lead(href, () => {
          router.push(href, options);
        });
      },
      replace: (href, options) => {
        lead(href, () => {
          router.replace(href, options);
        });
      },
    };
  }, [router]);
}
