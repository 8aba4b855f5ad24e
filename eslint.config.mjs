import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const MAX_FILE_LINES = 300;
const MAX_FUNCTION_LINES = 70;

/** Long by nature: tables of cases, table definitions, scripted browser walks, demo data. */
const LENGTH_EXEMPT = [
  "**/*.test.ts",
  "**/*.test.tsx",
  "**/*.samples.ts",
  "**/*.samples.tsx",
  "**/*.test.mjs",
  "**/*.spec.ts",
  "db/schema/**",
  "demo/history/**",
  "**/testing/**",
  "e2e/**",
  "tests/bench/**",
];

/** The only files that Next wants a default export from; tool configurations are read by their default export too. */
const DEFAULT_EXPORT_FILES = [
  "tests/adoption/global-setup.ts",
  "tests/base-path/playwright.config.ts",
  "app/**/{page,layout,template,loading,error,global-error,not-found,default,icon,sitemap,robots}.{ts,tsx}",
  "app/**/page.dev.tsx",
  "*.config.{ts,mjs}",
  "proxy.ts",
  "cli/template/onceboard.config.ts",
  "tests/bench/peers/orders/onceboard.config.ts",
  "tests/soak/onceboard.config.ts",
  "e2e/**/global-*.ts",
  "db/testing/global-setup.ts",
  "e2e/**/reporter*.ts",
];

const NO_DEFAULT_EXPORT = {
  selector: "ExportDefaultDeclaration",
  message: "Use a named export; only files that Next or a tool reads by default export have one.",
};
const NO_LATE_CONSTANT = {
  selector: "Program > ExpressionStatement[expression.argument.callee.name='runMain'] ~ VariableDeclaration",
  message: "A process runs inside runMain: a constant below it does not exist yet. Declare it above.",
};
const NO_USE_CLIENT = {
  selector: "ExpressionStatement[directive='use client']",
  message: 'Every "use client" file lives in components/.',
};
const NO_USE_SERVER = {
  selector: "ExpressionStatement[directive='use server']",
  message: "No server actions: the console mutates through /api/v1/admin like any other caller.",
};

/** What every keyed request passes: docs/ARCHITECTURE.md, "What a keyed request costs the process". */
const KEYED_REQUEST_FILES = [
  "db/call-context.ts",
  "db/operations/{claim,complete,record-events}.ts",
  "db/together/{call-many,turn-batch}.ts",
  "engine/context.ts",
  "engine/execute/{answer,answer-event,answer-existing,claim-input,conclude-provider,execute,execute-local}.ts",
  "engine/execute/{execute-provider,keep-settlement,refuse-conflict,replay}.ts",
  "engine/execute/together/{execute-local-together,share-step,shared-transaction}.ts",
  "http/guard/request-context.ts",
  "http/profiles/headers.ts",
  "http/routes/keyed.ts",
];
const NO_SPREAD_LITERAL = {
  selector: "ObjectExpression > SpreadElement",
  message: "Every keyed request passes here: write the members out, see docs/ARCHITECTURE.md.",
};

/** What a browser follows by itself, without the base path of the deployment: an anchor of the page, or what was given to `below()`. */
const BELOW = 'CallExpression[callee.name="below"]';
const OWN_ADDRESSES = [
  {
    selector: `JSXOpeningElement[name.name=/^(a|area|form|iframe|img|link|script|source)$/] > JSXAttribute[name.name=/^(href|action|src|srcSet)$/]:not([value.value=/^#/]):not([value.expression.callee.name="below"])`,
    message: "A browser does not know the base path: give the address to below() of components/ui/base-path.",
  },
  {
    selector: `JSXAttribute[name.name="formAction"]`,
    message: "A form says where it goes by its action, given to below() of components/ui/base-path.",
  },
  {
    selector: `CallExpression[callee.name="fetch"], CallExpression[callee.object.name=/^(window|globalThis|navigator)$/][callee.property.name=/^(fetch|sendBeacon)$/], NewExpression[callee.name=/^(EventSource|WebSocket|XMLHttpRequest)$/]`,
    message: "Ask by askOwn() of components/ui/base-path: it adds the base path.",
  },
  {
    selector: `CallExpression[callee.object.property.name="location"][callee.property.name=/^(assign|replace)$/] > :not(${BELOW}).arguments, CallExpression[callee.object.name="window"][callee.property.name="open"] > :not(${BELOW}).arguments:first-child, CallExpression[callee.property.name=/^(pushState|replaceState)$/] > :not(${BELOW}).arguments:nth-child(3), AssignmentExpression[left.property.name="href"][left.object.property.name="location"], AssignmentExpression[left.object.name="window"][left.property.name="location"]`,
    message: "The browser goes there without the router: give the address to below() of components/ui/base-path.",
  },
  {
    selector: `MemberExpression[object.property.name="location"][property.name="pathname"], VariableDeclarator[init.property.name="location"] > ObjectPattern > Property[key.name="pathname"]`,
    message: "The browser's path has the base path in it: use pathHere() of components/ui/base-path.",
  },
  {
    selector: `AssignmentExpression[left.object.name="document"][left.property.name="cookie"] TemplateElement[value.raw=/path=\\//i]`,
    message: "A cookie is for the path of this deployment: COOKIE_PATH of components/ui/base-path.",
  },
];

const ONE_LINK = {
  paths: [
    {
      name: "next/link",
      importNames: ["default"],
      message: "Use Link of components/ui/link: it fetches nothing ahead.",
    },
  ],
};

export default tseslint.config(
  {
    ignores: [
      "node_modules/**",
      ".next*/**",
      ".onceboard/**",
      ".package/**",
      "coverage/**",
      "next-env.d.ts",
      "**/*.d.mts",
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["**/*.ts", "**/*.tsx"],
    // What needs types is checked by oxlint (.oxlintrc.json), a tenth of the time.
    extends: [tseslint.configs.strict],
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/ban-ts-comment": ["error", { minimumDescriptionLength: 10 }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "max-lines": ["error", { max: MAX_FILE_LINES }],
      "max-lines-per-function": ["error", { max: MAX_FUNCTION_LINES, skipBlankLines: true, skipComments: true }],
      "no-console": "error",
      "no-restricted-syntax": ["error", NO_DEFAULT_EXPORT, NO_LATE_CONSTANT, NO_USE_CLIENT, NO_USE_SERVER],
      "no-restricted-imports": ["error", ONE_LINK],
      eqeqeq: "error",
    },
  },
  {
    files: KEYED_REQUEST_FILES,
    rules: {
      "no-restricted-syntax": [
        "error",
        ...[NO_DEFAULT_EXPORT, NO_LATE_CONSTANT, NO_USE_CLIENT, NO_USE_SERVER, NO_SPREAD_LITERAL],
      ],
    },
  },
  {
    // It compiles each file: only where there is React.
    files: ["components/**/*.{ts,tsx}", "app/**/*.{ts,tsx}"],
    plugins: { "react-hooks": reactHooks },
    rules: reactHooks.configs.recommended.rules,
  },
  { files: ["components/ui/link.tsx"], rules: { "no-restricted-imports": "off" } },
  {
    files: ["components/**"],
    rules: { "no-restricted-syntax": ["error", NO_DEFAULT_EXPORT, NO_USE_SERVER, ...OWN_ADDRESSES] },
  },
  {
    // The one place that knows the base path; samples and tests are no pages.
    files: [
      "components/ui/base-path.ts",
      "components/**/*.test.{ts,tsx}",
      "components/**/*.samples.tsx",
      "components/parts/**",
    ],
    rules: { "no-restricted-syntax": ["error", NO_DEFAULT_EXPORT, NO_USE_SERVER] },
  },
  {
    files: DEFAULT_EXPORT_FILES,
    rules: { "no-restricted-syntax": ["error", NO_USE_CLIENT, NO_USE_SERVER, ...OWN_ADDRESSES] },
  },
  {
    // Next insists that an error boundary of a route is itself marked as a client file.
    files: ["app/**/{error,global-error}.tsx"],
    rules: { "no-restricted-syntax": ["error", NO_USE_SERVER] },
  },
  {
    files: ["**/*.test.ts", "**/*.test.tsx", "**/*.spec.ts", "e2e/**"],
    rules: {
      // Playwright fixtures call their argument `use`.
      "react-hooks/rules-of-hooks": "off",
    },
  },
  {
    files: LENGTH_EXEMPT,
    rules: { "max-lines": "off", "max-lines-per-function": "off" },
  },
);
