import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link within the console, the only one that there is. Nothing is fetched before somebody follows it: every page is made for one
 * moment, and each time a live page is read again the router would fetch everything that its links lead to once more.
 */
export function Link(props: Omit<ComponentProps<typeof NextLink>, "prefetch">) {
  return <NextLink {...props} prefetch={false} />;
}
