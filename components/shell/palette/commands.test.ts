import { expect, it } from "vitest";
import { PAGE_POLICIES } from "@/domain/access/page-policies";
import { placeCommands, placeLabel } from "./commands";

/** The palette is what finds: its last option leads there with what was typed. */
const BY_TYPING = ["/find"];

it("goes to every page that has an address of its own", () => {
  const gone: string[] = [];
  for (const command of placeCommands((href) => void gone.push(href))) command.run();
  const pages = Object.keys(PAGE_POLICIES).filter((path) => !path.includes("[") && !BY_TYPING.includes(path));
  expect(gone.toSorted()).toEqual(pages.toSorted());
  expect(pages).toContain("/flow");
});

it("names a place by its page, also by one that is not in the rail, with what it is about", () => {
  const names = [
    "/",
    "/flow?window=1h",
    "/metrics/clients",
    "/topics/payments",
    "/plans/0197a000-0000-7000-8000-00000000000b/x",
  ];
  expect(names.map(placeLabel)).toEqual(["Overview", "Flow", "Clients by time", "Topics payments", "Plans 0000000b"]);
  expect(placeLabel("/audit?range=7d")).toBe("Audit");
});
