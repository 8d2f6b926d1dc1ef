// @ts-check

/** Tests that take long and seldom find what the others don't: random requests and walks, query plans, every sample of the docs. */

/** @type {import('jest').Config} */
module.exports = {
  ...require('../../jest.config'),
  rootDir: '../..',
  roots: ['<rootDir>/test/thorough'],
  testRegex: '\\.thorough-spec\\.ts$',
};
