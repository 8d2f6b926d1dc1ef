// @ts-check
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');
const { bundle } = require('./bundled-packages');

/** @type {Script | undefined} */
let compiled;

/**
 * Each file of tests loads the packages anew, in a context of its own. They are compiled once for each worker: 9 MB of code
 * take longer to compile than to run.
 */
module.exports = class extends TestEnvironment {
  /** @override */
  async setup() {
    await super.setup();
    compiled ??= new Script(`(function (module, exports, require, __filename) {${readFileSync(bundle, 'utf8')}\n})`, {
      filename: bundle,
    });
    this.global.packages = compiled.runInContext(/** @type {import('node:vm').Context} */ (this.getVmContext()));
  }
};
