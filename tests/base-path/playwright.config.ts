import own from "../../playwright.config";

/** Run by `npm run test:base-path`; the tests bring a stack of their own. */
const { globalSetup: _stacks, ...shared } = own;

export default { ...shared, testDir: ".", outputDir: "../../test-results/base-path", workers: 1 };
