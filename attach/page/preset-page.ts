import { ATTACH_VIEWS, VIEW_COLUMNS, type AttachView } from "../contract/columns";
import { manifestOf, type AttachManifest } from "../contract/manifest";
import type { Preset, PresetActions } from "../contract/preset";
import { asTheLibraryMakesIt, resolveTables } from "../contract/tables";
import { constantLiterals } from "../install/constants";

/** Only for a page: an installation asks for what has no default. */
const FOR_A_PAGE = { integer: "1", zone: "UTC", interval: "1 hour", boolean: "false" } as const;

const MADE = "<!-- Made by `npm run attach-pages` from ";

const VIEW_TITLES: Readonly<Record<AttachView, string>> = {
  keys: "Keys",
  outgoing: "Outgoing",
  incoming: "Incoming",
  dead: "Dead letters",
};

const ACTION_TITLES: Readonly<Record<keyof Required<PresetActions>, string>> = {
  requeue: "Requeue",
  discard: "Discard",
  purge: "Purge",
};
const ACTIONS = Object.keys(ACTION_TITLES) as readonly (keyof typeof ACTION_TITLES)[];

/** The list of all presets, as a page of the documents. */
export function presetsPage(presets: readonly Preset[]): string {
  const rows = presets.map((preset) => {
    const { views, actions } = manifestOfDefaults(preset);
    const shown = ATTACH_VIEWS.filter((view) => views[view] !== undefined).map((view) =>
      VIEW_TITLES[view].toLowerCase(),
    );
    const acts = ACTIONS.filter((name) => actions[name].offered);
    return `| [${preset.id}](${preset.id}.md) | ${preset.title} | ${cell(preset.versions)} | ${shown.join(", ")} | ${acts.length === 0 ? "reading only" : acts.join(", ")} |`;
  });
  return [
    "# Presets",
    `${MADE}\`attach/presets/\`. -->`,
    "Libraries whose tables Onceboard knows ([README.md](README.md)).",
    ["| preset | library | tables of | shows | can |", "|---|---|---|---|---|", ...rows].join("\n"),
  ].join("\n\n");
}

/** What a preset can and cannot show, as a page of the documents: made from what its views are made from. */
export function presetPage(preset: Preset): string {
  const manifest = manifestOfDefaults(preset);
  return [
    `# ${preset.title}`,
    `${MADE}\`attach/presets/${preset.id}/\`. -->`,
    `Tables of ${preset.versions}. \`npx onceboard attach ${preset.id} --print\` writes the SQL; [README.md](README.md) says what to do with it.`,
    tablesSection(preset),
    constantsSection(preset),
    ...ATTACH_VIEWS.flatMap((view) => viewSection(view, manifest)),
    actionsSection(manifest),
    `## What to know\n\n${preset.notes.map((note) => `- ${note}`).join("\n")}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

/** What an installation with the library's defaults would say of itself. */
function manifestOfDefaults(preset: Preset): AttachManifest {
  const given = Object.fromEntries(
    Object.entries(preset.constants).map(([name, constant]) => [name, constant.default ?? FOR_A_PAGE[constant.kind]]),
  );
  const tables = Object.fromEntries(
    Object.entries(preset.tables).map(([name, spec]) => [name, asTheLibraryMakesIt(preset.schema, spec)]),
  );
  const shape = preset.shape({
    tables: resolveTables(preset.tables, tables),
    constants: constantLiterals(preset, given),
  });
  return manifestOf(preset, shape, given, true);
}

function tablesSection(preset: Preset): string {
  const rows = Object.values(preset.tables).map(({ name, needs, not, optional }) => {
    const columns = Object.keys(needs).map((column) => `\`${column}\``);
    const without = not === undefined ? "" : `, and no ${not.map((column) => `\`${column}\``).join(", ")}`;
    return `| \`${name}\`${optional === true ? ", if it is there" : ""} | ${columns.join(", ")}${without} |`;
  });
  return [
    "## Known by",
    "",
    "Names are compared without case and underscores.",
    "",
    "| table | columns |",
    "|---|---|",
    ...rows,
  ].join("\n");
}

function constantsSection(preset: Preset): string {
  const constants = Object.entries(preset.constants);
  if (constants.length === 0) return "";
  const rows = constants.map(
    ([name, { says, default: value }]) => `| \`${name}\` | ${value ?? "has to be given"} | ${cell(says)} |`,
  );
  return [
    "## What only its owner knows",
    "",
    "Given by `--set NAME=VALUE`.",
    "",
    "| name | default | what it is |",
    "|---|---|---|",
    ...rows,
  ].join("\n");
}

function viewSection(view: AttachView, manifest: AttachManifest): readonly string[] {
  const shown = manifest.views[view];
  if (shown === undefined) return [];
  const columns = Object.keys(VIEW_COLUMNS[view])
    .filter((name) => name !== "id")
    .map((name) => {
      const column = shown.columns[name];
      if (column?.kind === "stored") return `| \`${name}\` | ✓ stored | |`;
      if (column?.kind === "derived") return `| \`${name}\` | ≈ derived | ${cell(column.rule)} |`;
      return `| \`${name}\` | – not stored | ${cell(column?.reason ?? "")} |`;
    });
  const states = shown.states.map(({ state, says }) => `| ${state} | ${cell(says)} |`);
  return [
    [
      `## ${VIEW_TITLES[view]}`,
      "",
      "| state | means |",
      "|---|---|",
      ...states,
      "",
      "| column | | |",
      "|---|---|---|",
      ...columns,
    ].join("\n"),
  ];
}

function actionsSection(manifest: AttachManifest): string {
  const rows = ACTIONS.map((name) => {
    const action = manifest.actions[name];
    return `| ${ACTION_TITLES[name]} | ${action.offered ? "yes" : "no"} | ${action.offered ? "" : cell(action.reason)} |`;
  });
  return ["## Acting", "", "| | | why not |", "|---|---|---|", ...rows].join("\n");
}

const cell = (text: string): string => text.replaceAll("|", "\\|");
