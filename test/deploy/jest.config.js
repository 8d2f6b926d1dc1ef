// @ts-check

/** Tests of what is in deploy/, with the programs that it is for. */

/** @type {import('jest').Config} */
module.exports = {
  ...require('../../jest.config'),
  rootDir: '../..',
  roots: ['<rootDir>/test/deploy'],
  testRegex: '\\.deploy-spec\\.ts$',
  maxWorkers: 1,
};
