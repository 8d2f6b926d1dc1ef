// @ts-check
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');
const { bundle } = require('./bundled-packages');

/** One context for all files of tests that a worker runs, with the packages loaded. */
class SharedEnvironment extends TestEnvironment {
  /** @param {ConstructorParameters<typeof TestEnvironment>} values */
  constructor(...values) {
    super(...values);
    const load = new Script(`(function (module, exports, require, __filename) {${readFileSync(bundle, 'utf8')}\n})`, {
      filename: bundle,
    });
    this.global.packages = load.runInContext(/** @type {import('node:vm').Context} */ (this.getVmContext()));
  }

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
