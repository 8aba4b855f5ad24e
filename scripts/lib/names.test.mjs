import { expect, it } from "vitest";
import { doubleNames, exportedNames } from "./names.mjs";

it("reads what a file declares and exports, and nothing that it passes on", () => {
  const text = [
    "export interface Place {}",
    "interface Hidden {}",
    "export type Line = string;",
    'export type { Other } from "./other";',
    "export const LIMIT = 1;",
    "export function read(a: string): void;",
    "export function read(a: number): void;",
  ].join("\n");
  expect(exportedNames("a.ts", text)).toEqual(["type Place", "type Line", "value LIMIT", "value read"]);
});

it("names what two files export, except for the names of the framework and a component with the name of a type", () => {
  const files = [
    { path: "app/page.tsx", names: ["value metadata", "type Place", "value Row"] },
    { path: "db/paging.ts", names: ["value metadata", "type Place", "type Row"] },
  ];
  expect(doubleNames(files)).toEqual([{ name: "Place", paths: ["app/page.tsx", "db/paging.ts"] }]);
});
