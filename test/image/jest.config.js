// @ts-check

/** Tests of the image, which `.ci/image` builds. */

/** @type {import('jest').Config} */
module.exports = {
  ...require('../../jest.config'),
  rootDir: '../..',
  roots: ['<rootDir>/test/image'],
  testRegex: '\\.image-spec\\.ts$',
};
