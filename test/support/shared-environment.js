// @ts-check
const { TestEnvironment } = require('jest-environment-node');

/** One context for all files of tests that a worker runs. */
class SharedEnvironment extends TestEnvironment {
  /** Leaves it for the next file, but for what listens to the tests of this one. @override */
  async teardown() {
    delete this.global[Symbol.for('EVENT_HANDLERS')];
  }
}

/** @type {SharedEnvironment | undefined} */
let shared;

/** @param {ConstructorParameters<typeof TestEnvironment>} values */
module.exports = function environmentOfWorker(...values) {
  return (shared ??= new SharedEnvironment(...values));
};
