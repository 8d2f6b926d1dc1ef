// @ts-check

/** Tests of the widget in real browsers, against the built service as a separate process. */

/** @type {import('jest').Config} */
module.exports = {
  ...require('../../jest.config'),
  rootDir: '../..',
  roots: ['<rootDir>/test/browser'],
  testRegex: '\\.browser-spec\\.ts$',
  globalSetup: '<rootDir>/test/browser/support/global-setup.ts',
  // Some tests measure time, and a browser takes more than one core.
  maxWorkers: 1,
  testTimeout: 30_000,
};
