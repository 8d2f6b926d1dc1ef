// @ts-check
const base = require('../../jest.config');

/** Fault tests: the built service as a separate process, on a Postgres that is killed, frozen and cut off. */
/** @type {import('jest').Config} */
module.exports = {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/faults'],
  testRegex: '\\.fault-spec\\.ts$',
};
