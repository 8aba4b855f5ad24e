/** Where a letter after `g` leads. Every page has them; the commands are loaded with the palette. */
export const JUMPS: Readonly<Record<string, string>> = {
  o: "/operations",
  c: "/conflicts",
  u: "/attention",
  d: "/dead-letters",
  p: "/plans",
  i: "/invariants",
  a: "/audit",
  m: "/metrics",
  h: "/",
};
