// @ts-check
const { default: Runtime } = require('jest-runtime');

/**
 * One registry of modules for all files of tests that a worker runs. Jest loads all modules anew for each file, which took 40 % of
 * the time. So modules keep nothing that depends on the file, neither those under test nor the helpers of tests.
 */
class SharedRuntime extends Runtime {
  /** Forgets only what belongs to a file: its mocks, and the framework with its tests. @override */
  teardown() {
    this.restoreAllMocks();
    this.registries.getInternalCjsRegistry().clear();
    this.testState.state = 'loading';
  }
}

/** @type {SharedRuntime | undefined} */
let shared;

/** @param {ConstructorParameters<typeof Runtime>} values */
module.exports = function runtimeOfWorker(...values) {
  return (shared ??= new SharedRuntime(...values));
};
