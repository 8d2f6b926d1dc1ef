// @ts-check

/** The OpenAPI document in tools of others, which `npm run test:tools` installs for it. */

/** @type {import('jest').Config} */
module.exports = {
  ...require('../../jest.config'),
  rootDir: '../..',
  roots: ['<rootDir>/test/tools'],
  testRegex: '\\.tools-spec\\.ts$',
};
