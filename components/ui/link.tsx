import NextLink from "next/link";
import type { ComponentProps } from "react";
import { LinkPending } from "@/components/navigation/navigation-pending";

/**
 * A link within the console, the only one that there is. Nothing is fetched before somebody follows it: every page is made for one
 * moment, and each time a live page is read again the router would fetch everything that its links lead to once more.
 */
export function Link({ children, ...props }: Omit<ComponentProps<typeof NextLink>, "prefetch">) {
  const path = (typeof props.href === "string" ? props.href : (props.href.pathname ?? "")).split(/[?#]/, 1)[0] ?? "";
  return (
    <NextLink {...props} prefetch={false}>
      {children}
      <LinkPending path={path} />
    </NextLink>
  );
}
