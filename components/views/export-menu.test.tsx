// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { inApp } from "@/components/parts/in-app";
import { onConnection } from "@/components/parts/live-samples";
import { ExportMenu } from "./export-menu";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("ACCESS-5 asks who it is, and then takes the file that waits", async () => {
  let proved = false;
  const asked: string[] = [];
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:x");
  vi.stubGlobal("fetch", (path: string, { body }: RequestInit) => {
    asked.push(path.replace(/\?.*/, ""));
    if (path.endsWith("/step-up")) {
      proved = body === '{"password":"correct horse"}';
      return Promise.resolve(
        proved ? Response.json({}) : Response.json({ detail: "The password is wrong." }, { status: 403 }),
      );
    }
    const refused = { code: "auth.step_up_required", confirmBy: ["password"] };
    return Promise.resolve(
      proved
        ? new Response("sequence\n1\n2\n", { headers: { "content-disposition": 'attachment; filename="audit.csv"' } })
        : Response.json(refused, { status: 403 }),
    );
  });
  render(inApp(onConnection(<ExportMenu path="/api/v1/admin/exports/audit" search="?tenant=acme" />)));
  const menu = screen.getByRole("group", { name: "Export", hidden: true });
  fireEvent(menu, Object.assign(new Event("toggle"), { newState: "open" }));
  fireEvent.click(screen.getByText("CSV"));
  const password = await screen.findByLabelText("Your password");
  fireEvent.change(password, { target: { value: "a guess" } });
  fireEvent.click(screen.getByText("Confirm: Take the file"));
  expect(await screen.findByText("The password is wrong.")).not.toBeNull();
  fireEvent.change(screen.getByLabelText("Your password"), { target: { value: "correct horse" } });
  fireEvent.click(screen.getByText("Confirm: Take the file"));
  expect(await screen.findByText(/^audit\.csv: 2 rows, whole/)).not.toBeNull();
  expect(screen.queryByLabelText("Your password")).toBeNull();
  const [file, step] = ["/api/v1/admin/exports/audit", "/api/v1/admin/step-up"];
  expect(asked).toEqual([file, step, step, file]);
});
