/**
 * A text that an action answers or throws, filled with what it was given or found. Its guard is its predicate: it is said where the guard
 * refuses, and nowhere else. So it is held by a test that makes the refusal by a real call and asserts its text.
 */
interface HeldAnswer {
  /** Of the template, as written between two fillings; names it in the file and in the test. */
  readonly words: string;
  readonly test: string;
}
const held = (test: string, ...words: readonly string[]): readonly HeldAnswer[] =>
  words.map((each) => ({ words: each, test }));

const ATTACHMENTS = "tests/console/attachments.db.test.ts";
const ATTACHMENT_SAMPLES = "components/attachments/attachments.samples.tsx";

/** By file: every such text in it. `sentences.test.ts` keeps this true: words that the file or the test does not have fail. */
export const HELD_ANSWERS: Readonly<Record<string, readonly HeldAnswer[]>> = {
  "components/attachments/attachment-dialogs.tsx": held(
    "e2e/attachments/setup.spec.ts",
    "Nothing changes in that database. Its owner takes the schema back by: drop schema ",
  ),
  "components/attachments/setup/attachment-setup.tsx": held(
    "e2e/attachments/setup.spec.ts",
    "Nothing was changed there, and nothing is kept here until it is attached.",
  ),
  "components/attachments/setup/constants-form.tsx": held(ATTACHMENT_SAMPLES, "Left empty it is "),
  "components/attachments/setup/found-shapes.tsx": held(ATTACHMENT_SAMPLES, "Known from "),
  "components/plans/plan-dialogs.tsx": held(
    "components/plans/plan-decision.samples.tsx",
    " under way ends or is taken back",
  ),
  "components/plans/plan-items.tsx": held("components/plans/plan-items.samples.tsx", " of this plan matches."),
  "console/attachments/act-operations.ts": held("tests/attach/acts.db.test.ts", "Nothing was changed."),
  "console/attachments/attachment-actions.ts": held(ATTACHMENTS, "Nothing was attached."),
  "console/attachments/attachment-secret.ts": held(
    ATTACHMENTS,
    "After the database it may say ",
    "Nothing was asked.",
    "is not in ATTACH_HOSTS of this deployment. Nothing was asked.",
  ),
  "console/attachments/look-at-address.ts": held(
    ATTACHMENTS,
    "yet: its owner runs the SQL.",
    "The installation cannot be checked: ",
    "The database did not answer as it should: ",
  ),
  "console/attachments/look-choice.ts": held(
    ATTACHMENTS,
    "This database has no tables of ",
    "Not shown: say ",
    "may not read these tables, and need not",
    "Not shown: ",
  ),
  "console/attachments/open-attachment.ts": held(ATTACHMENTS, "that this login can use. Nothing was read."),
  "console/plans/kinds/attached-rows.ts": held("tests/attach/plans.db.test.ts", "It is not among the newest "),
  "console/plans/kinds/attached-purge.ts": held(
    "tests/attach/purge-plans.db.test.ts",
    "It decides again when the batch runs, and takes no more than that.",
    "The function deleted ",
  ),
  "console/sources/cut-off.ts": held(
    "console/sources/cut-off.db.test.ts",
    ", and it did not end by then. Nothing was changed.",
  ),
  "console/sources/with-source.ts": held("console/sources/sources.db.test.ts", "It answered "),
  "components/auth/join-form.tsx": held("components/parts/answers.test.tsx", "The password of "),
  "components/auth/sign-in-elsewhere.tsx": [
    ...held("components/parts/answers.test.tsx", "does not answer. Try again in a moment."),
    ...held("components/auth/auth.samples.tsx", "did not sign you in here."),
  ],
  "domain/plans/plan.ts": held("presentation/plan/plan.test.ts", "None of its "),
  "domain/messages/topic-route.ts": held(
    "presentation/messages.test.ts",
    "A destination of this transport has at most ",
  ),
  "components/feedback/action-answer.tsx": held(
    "components/parts/answers.test.tsx",
    "This is the answer of your first click at",
  ),
  "components/feedback/list-problem.tsx": held("components/parts/answers.test.tsx", "and was stopped."),
  "components/feedback/lost-connection.tsx": held(
    "components/parts/answers.test.tsx",
    "What you see is",
    "next try in ",
  ),
  "components/feedback/page-problem.tsx": held("components/parts/answers.test.tsx", "did not load."),
  "components/feedback/route-error.tsx": held(
    "components/parts/answers.test.tsx",
    "Reading it changed nothing. Error ",
  ),
  "components/feedback/scan-limit-notice.tsx": held(
    "components/operations/operations.samples.tsx",
    "rows looked at so far.",
  ),
  "components/feedback/use-admin-action.ts": [
    ...held("components/parts/answers.test.tsx", "The server answered "),
    ...held("components/feedback/action.samples.tsx", "Nothing was sent."),
  ],
  "components/table/list-pane.tsx": held("components/parts/answers.test.tsx", "did not load."),
  "components/table/newer-line.tsx": held("components/table/table.samples.tsx", "No newer "),
  "components/table/use-opened.ts": held("components/parts/answers.test.tsx", "The server answered "),
  "components/views/export-menu.tsx": held(
    "components/parts/answers.test.tsx",
    "cut after ",
    "Cancelled after ",
    "The server answered ",
  ),
  "components/views/view-dialog.tsx": held("components/views/views.samples.tsx", "and an admin may change this view."),
  "components/views/views-menu.tsx": held("components/views/views.samples.tsx", "and an admin may change this view."),
  "console/actions/operation-actions.ts": held("http/admin/actions.http.test.ts", "Nothing was changed."),
  "console/actions/refuse-contradiction.ts": held("http/admin/actions.http.test.ts", "Nothing was changed."),
  "console/actions/set-policy.ts": [
    ...held("console/actions/set-policy.db.test.ts", "Nothing was changed. "),
    ...held("console/actions/set-policy.db.test.ts", "made version"),
  ],
  "console/actions/set-topic.ts": held(
    "http/admin/topics.http.test.ts",
    "is not set, so a message of this topic could not leave",
    "Look again, then decide",
  ),
  "console/plans/decide-plan.ts": held("console/plans/plans.db.test.ts", "None of its "),
  "console/plans/create-plan.ts": held("console/plans/plans.db.test.ts", "Narrow the filter: a plan holds"),
  "console/plans/propose-correction.ts": held(
    "http/admin/corrections/corrections.http.test.ts",
    "Nothing was recorded.",
  ),
  "console/plans/send-correction.ts": held("http/admin/corrections/corrections.http.test.ts", "Replaced by "),
  "console/plans/settle-operation-plans.ts": held(
    "tests/console/plans.db.test.ts",
    "The fingerprint stays: the purge lets no key run again",
  ),
  "console/saved-views/write-views.ts": held(
    "console/saved-views/views.db.test.ts",
    "Choose another name than",
    "views at the most; delete one first",
  ),
  "console/webhooks/endpoint-actions.ts": held("http/webhooks.http.test.ts", "Nothing was made"),
  "console/exports/fixed-exports.ts": held(
    "console/exports/fixed-exports.db.test.ts",
    "Ask for less: a shorter window",
    "operation: name one of",
  ),
  "domain/access/permission.ts": held("domain/access/permission.test.ts", "needs the role"),
  "domain/config.ts": held("domain/config.test.ts", "The environment is not usable:"),
  "domain/messages/correction.ts": held("domain/messages/correction.test.ts", "This is not valid JSON"),
};
