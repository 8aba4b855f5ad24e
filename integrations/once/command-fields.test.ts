import { describe, expect, it } from "vitest";
import { UsageError } from "../usage-error";
import { commandFields } from "./command-fields";

describe("commandFields", () => {
  it.each([
    ["a number and its text", { a: 10 }, { a: "10" }],
    ["a truth and its text", { a: true }, { a: "true" }],
    ["null and its text", { a: null }, { a: "null" }],
    ["null and nothing", { a: null }, {}],
    ["an object and its text", { a: { b: 1 } }, { a: '{"b":1}' }],
    ["a text and the text in quotes", { a: "x" }, { a: '"x"' }],
    ["the order of a list", { a: [1, 2] }, { a: [2, 1] }],
    ["what is deep inside", { a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 2 }] } }],
  ])("tells apart %s", (_what, one, other) => {
    expect(commandFields(one)).not.toEqual(commandFields(other));
  });

  it.each([
    ["the order of members", { a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }],
    ["how a number is written", { a: 1 }, { a: 1.0 }],
    ["a member that is undefined", { a: undefined, b: 1 }, { b: 1 }],
    ["a time and its text", { a: new Date(0) }, { a: "1970-01-01T00:00:00.000Z" }],
  ])("does not tell apart %s", (_what, one, other) => {
    expect(commandFields(one)).toEqual(commandFields(other));
  });

  it.each([
    ["a map", { a: new Map([[1, 2]]) }],
    ["not a number", { a: Number.NaN }],
    ["a function", { a: () => 1 }],
    ["a symbol inside", { a: { b: Symbol("b") } }],
  ])("refuses %s, by the name of its member", (_what, command) => {
    expect(() => commandFields(command)).toThrow(UsageError);
    expect(() => commandFields(command)).toThrow(/member a /);
  });
});
