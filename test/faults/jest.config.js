// @ts-check
const base = require('../../jest.config');

/** Faults: the service as a process of its own, on a Postgres that is killed, frozen and cut off under it. */
/** @type {import('jest').Config} */
module.exports = {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/faults'],
  testRegex: '\\.fault-spec\\.ts$',
  globalSetup: undefined,
  globalTeardown: undefined,
  // They wait for time-outs and for a restart, and share the machine with a load: generous.
  testTimeout: 90_000,
};
