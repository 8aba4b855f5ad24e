import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { PathnameContext, SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import type { ReactElement, ReactNode } from "react";

const NO_SEARCH = new URLSearchParams();
const nothing = (): void => undefined;

/** The same at an address of the page, such as one that opens a dialog: `dialog=invite`. */
export function inAppAt(search: string, shows: ReactNode): ReactElement {
  window.history.replaceState(null, "", `/?${search}`);
  return inApp(shows);
}

/** On the page of this path. */
export function onPath(path: string, shows: ReactNode): ReactElement {
  return <PathnameContext value={path}>{shows}</PathnameContext>;
}

/** For tests: what Next puts around a component, with a router that goes nowhere. */
export function inApp(shows: ReactNode): ReactElement {
  const router = {
    back: nothing,
    forward: nothing,
    refresh: nothing,
    push: nothing,
    replace: nothing,
    prefetch: nothing,
    bfcacheId: "",
  };
  return (
    <AppRouterContext value={router}>
      <PathnameContext value="/">
        <SearchParamsContext value={NO_SEARCH}>{shows}</SearchParamsContext>
      </PathnameContext>
    </AppRouterContext>
  );
}
