// @ts-check

/** Tests of the widget and the console in real browsers, against the built service as a separate process. */

/** @type {import('jest').Config} */
module.exports = {
  ...require('../../jest.config'),
  rootDir: '../..',
  roots: ['<rootDir>/test/browser'],
  testRegex: '\\.browser-spec\\.ts$',
  globalSetup: '<rootDir>/test/browser/support/global-setup.ts',
  // Each has a browser, a service and a database of its own.
  maxWorkers: '100%',
};
