// @ts-check

/** Tests of whole processes, as production starts them: of what `npm run build` wrote. */

/** @type {import('jest').Config} */
module.exports = {
  ...require('../../jest.config'),
  rootDir: '../..',
  roots: ['<rootDir>/test/processes'],
  testRegex: '\\.process-spec\\.ts$',
};
