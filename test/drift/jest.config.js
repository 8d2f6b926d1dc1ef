// @ts-check

/** What is written twice, held against each other: entities and migrations, the OpenAPI document and the code, documents and the settings they name. */

/** @type {import('jest').Config} */
module.exports = {
  ...require('../../jest.config'),
  rootDir: '../..',
  roots: ['<rootDir>/test/drift', '<rootDir>/test/openapi'],
  testRegex: '\\.drift-spec\\.ts$',
};
