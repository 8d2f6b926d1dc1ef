// @ts-check

/** Tests of the built service as a separate process, started as in production. */

/** @type {import('jest').Config} */
module.exports = {
  ...require('../../jest.config'),
  rootDir: '../..',
  roots: ['<rootDir>/test/processes'],
  testRegex: '\\.process-spec\\.ts$',
  // Most tests wait for processes.
  maxWorkers: '100%',
};
