// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { useContext } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import { inApp } from "@/components/parts/in-app";
import { inLive } from "@/components/parts/in-live";
import { SAMPLE_NOW } from "@/components/parts/part";
import { FollowTenant } from "./follow-tenant";
import { LiveButton } from "./top-bar-buttons";
import { countsBeside, LiveProvider } from "./live-provider";
import { KeysSheet } from "./palette/keys-sheet";
import { Palette } from "./palette/palette";
import { rememberPlace } from "./palette/recent-places";
import { TopBar } from "./top-bar";
import type { Zone } from "@/domain/time-zone";
import type { ShownZone } from "./browser-zone";
import { ZoneOfPerson } from "./zone-of-person";

afterEach(cleanup);

const nothing = (): void => undefined;
const press = (name: RegExp | string): void => void fireEvent.click(screen.getByRole("button", { name }));
const options = (): readonly (string | null)[] => screen.getAllByRole("option").map((one) => one.textContent);
const type = (value: string): void =>
  void fireEvent.change(screen.getByRole("combobox", { hidden: true }), { target: { value } });

describe("the top bar", () => {
  it("goes through the themes", () => {
    render(inApp(inLive(<TopBar environment="Sandbox" tenant="acme" tenants={[]} now={SAMPLE_NOW} />)));
    for (const word of ["System", "Light", "Dark"]) press(`Theme ${word}`);
    expect(screen.queryByRole("button", { name: "Theme System" })).not.toBeNull();
  });

  it("shows UTC, local time or a named zone, and keeps the choice on the person", async () => {
    const sent: unknown[] = [];
    let status = 200;
    vi.stubGlobal("fetch", (path: string, { body }: { readonly body: string }) => {
      sent.push([path, JSON.parse(body)]);
      return Promise.resolve(new Response("{}", { status }));
    });
    const bar = (choice: Zone) => (
      <ZoneOfPerson tenant="acme" choice={choice} browserZone="Asia/Tokyo">
        <TopBar environment="Sandbox" tenant="acme" tenants={[]} now={SAMPLE_NOW} />
      </ZoneOfPerson>
    );
    render(inApp(inLive(bar("utc"))));
    const clock = (words: RegExp) => screen.queryByRole("button", { name: words });
    expect(clock(/^14:30:\d\d UTC$/)).not.toBeNull();
    // happy-dom knows no popover: the browser's part is played by the event that it would send.
    fireEvent(
      screen.getByRole("group", { name: "Times in" }),
      Object.assign(new Event("toggle"), { newState: "open" }),
    );
    const field = await screen.findByLabelText("Zone");
    const choose = (value: string) => fireEvent.change(field, { target: { value } });
    choose("Asia/Tokyo");
    expect(clock(/^23:30:\d\d Tokyo$/)).not.toBeNull();
    await waitFor(() => expect(sent).toEqual([["/api/v1/admin/time-zone", { zone: "Asia/Tokyo" }]]));
    // What the server refused does not stay.
    status = 503;
    choose("Europe/Berlin");
    await waitFor(() => expect(clock(/UTC$/)).not.toBeNull());
    await screen.findByText("Times are as before: nothing said that the zone was saved. Try again.");
    status = 200;
    choose("Europe/Paris");
    await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
    vi.unstubAllGlobals();
  });

  it("writes local times at the first paint in the zone that the browser had said", () => {
    const shown = (browserZone: ShownZone | undefined) =>
      renderToString(
        inApp(
          inLive(
            <ZoneOfPerson tenant="acme" choice="local" browserZone={browserZone}>
              <TopBar environment="Sandbox" tenant="acme" tenants={[]} now={SAMPLE_NOW} />
            </ZoneOfPerson>,
          ),
        ),
      );
    expect(shown("Asia/Tokyo")).toMatch(/23:30:\d\d<\/b> <i>local/);
    expect(shown(undefined)).toMatch(/14:30:\d\d<\/b> <i>UTC/);
  });

  it("goes to the find field with a slash, but not while somebody writes", () => {
    render(inApp(inLive(<TopBar environment="Sandbox" tenant="acme" tenants={[]} now={SAMPLE_NOW} />)));
    const field = screen.getByRole("textbox", { name: /Find a key/ });
    expect(fireEvent.keyDown(document.body, { key: "/" })).toBe(false);
    expect(document.activeElement).toBe(field);
    expect(fireEvent.keyDown(field, { key: "/" })).toBe(true);
  });
});

describe("the live state", () => {
  it("pauses and goes on", () => {
    render(
      inApp(
        <LiveProvider tenant="acme" initial={{ at: SAMPLE_NOW, counts: {}, down: { parts: [], loops: [] } }}>
          <LiveButton />
        </LiveProvider>,
      ),
    );
    press(/^Live/);
    expect(screen.getByRole("button").textContent).toContain("Paused14:30:00");
    press(/^Paused/);
    expect(screen.getByRole("button").textContent).toContain("Live");
  });
});

describe("the counts beside the places (TRUTH-2)", () => {
  const at = (second: number): string => `2026-11-22T14:30:0${String(second)}.000000Z`;
  const page = { counts: { outbox: 26 }, since: at(4), refresh: "ask" } as const;
  it("are the page's own where it was read after the last poll", () => {
    expect(countsBeside({ outbox: 52, inbox: 3 }, at(2), page)).toEqual({
      counts: { outbox: 26, inbox: 3 },
      onPage: {},
    });
  });
  it("move on with the poll, beside what a page that stands still says", () => {
    expect(countsBeside({ outbox: 52 }, at(6), page)).toEqual({ counts: { outbox: 52 }, onPage: { outbox: 26 } });
    expect(countsBeside({ outbox: 52 }, at(6), { ...page, refresh: "always" }).onPage).toEqual({});
    expect(countsBeside({ outbox: 52 }, at(6), undefined)).toEqual({ counts: { outbox: 52 }, onPage: {} });
  });
});

describe("the tenant of the address", () => {
  function refreshes(search: string): number {
    let count = 0;
    function Counted() {
      const router = useContext(AppRouterContext);
      if (router === null) return null;
      const counting = { ...router, refresh: () => void (count += 1) };
      return (
        <AppRouterContext value={counting}>
          <SearchParamsContext value={new URLSearchParams(search)}>
            <FollowTenant />
          </SearchParamsContext>
        </AppRouterContext>
      );
    }
    render(inApp(inLive(<Counted />)));
    return count;
  }
  it("has the frame read again where it is another one", () => {
    expect(refreshes("tenant=globex")).toBeGreaterThan(0);
    cleanup();
    expect(refreshes("tenant=acme")).toBe(0);
    cleanup();
    expect(refreshes("")).toBe(0);
  });
});

describe("the palette", () => {
  const open = (showKeys = nothing, close = nothing): void =>
    void render(inApp(inLive(<Palette close={close} showKeys={showKeys} />)));

  it("offers the pages, and says which display is on", () => {
    open();
    expect(options()).toContain("Operationsg o");
    expect(options()).toContain("Theme: systemnow");
    expect(options()).toContain("Theme: dark");
  });

  it("keeps what every typed word is in, and offers to find it last", () => {
    open();
    type("watch inb");
    expect(options()).toEqual(["Inbox", "ConsumersInbox", "Find “watch inb”key, id, reference, amount"]);
  });

  it("offers the zone of a city, stays open, and says when it was not saved", async () => {
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}", { status: 503 })));
    render(
      inApp(
        inLive(
          <ZoneOfPerson tenant="acme" choice="utc" browserZone="Asia/Tokyo">
            <Palette close={nothing} showKeys={nothing} />
          </ZoneOfPerson>,
        ),
      ),
    );
    expect(options()).toContain("Times in UTCnow");
    expect(options()).toContain("Times in local timeor type a city");
    type("berl");
    fireEvent.click(screen.getByText("Times in Europe/Berlin"));
    expect(screen.getByRole("status", { hidden: true }).textContent).toBe("Times in Europe/Berlin");
    await screen.findByText("Times are as before: nothing said that the zone was saved. Try again.");
    type("america");
    expect(options().filter((one) => one?.startsWith("Times in America"))).toHaveLength(8);
    expect(options().at(-1)).toContain("Find");
    vi.unstubAllGlobals();
  });

  it("offers to find what looks like a name first", () => {
    open();
    type("times 123");
    expect(options()).toEqual(["Find “times 123”key, id, reference, amount"]);
  });

  it("walks round with the arrows and does the marked one with Enter", () => {
    let keys = 0;
    open(() => void (keys += 1));
    type("keyboard");
    const field = screen.getByRole("combobox", { hidden: true });
    const marked = (): string | null | undefined => document.querySelector('[aria-selected="true"]')?.textContent;
    expect(marked()).toBe("Keys?");
    fireEvent.keyDown(field, { key: "ArrowDown" });
    expect(marked()).toContain("Find");
    fireEvent.keyDown(field, { key: "ArrowDown" });
    fireEvent.keyDown(field, { key: "Enter" });
    expect(keys).toBe(1);
  });
});

describe("the palette over a page that changes", () => {
  const page = (button: string): void => {
    document.getElementById("main")?.remove();
    const main = document.createElement("main");
    main.id = "main";
    main.innerHTML = `<button data-variant="primary">${button}</button>`;
    document.body.append(main);
  };
  const pageButton = (): HTMLButtonElement => {
    const button = document.querySelector<HTMLButtonElement>("#main button");
    if (button === null) throw new Error("no button");
    // A page that is laid out has it; here nothing is.
    Object.defineProperty(button, "offsetParent", { value: document.body });
    return button;
  };
  const field = () => screen.getByRole("combobox", { hidden: true });

  afterEach(() => {
    document.getElementById("main")?.remove();
  });

  it("offers what the page offers now, and does nothing for what has changed", async () => {
    let pressed = 0;
    page("Start 15");
    const button = pageButton();
    button.addEventListener("click", () => void (pressed += 1));
    render(inApp(inLive(<Palette close={nothing} showKeys={nothing} />)));
    expect(options()[0]).toBe("Start 15");
    button.textContent = "Start 3";
    await screen.findByRole("option", { name: "Start 3", hidden: true });
    expect(options()).not.toContain("Start 15");
    fireEvent.keyDown(field(), { key: "Enter" });
    expect(pressed).toBe(0);
    await screen.findByText("What was chosen has changed: choose again");
    fireEvent.keyDown(field(), { key: "ArrowDown" });
    fireEvent.keyDown(field(), { key: "Enter" });
    expect(pressed).toBe(1);
  });

  it("shows why a command of the page is off once it is", async () => {
    page("Start 15");
    const button = pageButton();
    render(inApp(inLive(<Palette close={nothing} showKeys={nothing} />)));
    button.disabled = true;
    button.title = "It is running.";
    await screen.findByText("It is running.");
  });

  it("calls a recent place by its name, not by what was true there", () => {
    rememberPlace({ href: "/plans/01a20654-0000-7000-8000-00000000abcd", title: "None of 15 has ended." });
    render(inApp(inLive(<Palette close={nothing} showKeys={nothing} />)));
    type("0000abcd");
    expect(options().join()).toContain("Plans 0000abcd");
    expect(options().join()).not.toContain("None of 15");
    localStorage.clear();
  });
});

describe("the sheet of keys", () => {
  it("names the page of each jump, and closes", () => {
    let closed = 0;
    render(<KeysSheet close={() => void (closed += 1)} />);
    const sheet = document.querySelector("dialog[open]");
    expect(sheet?.textContent).toContain("g uUnknown and stale");
    press("Close");
    expect(closed).toBe(1);
  });
});
