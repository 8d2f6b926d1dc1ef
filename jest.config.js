// @ts-check
const { availableParallelism } = require('node:os');
const packages = require('./test/support/bundled-packages');

/** Everything is CommonJS under test, the ES modules of node_modules too: one loader, as in production. */
const swc = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
  isModule: 'unknown',
  sourceMaps: 'inline',
};

/** @type {import('jest').Config} */
module.exports = {
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/web', '<rootDir>/client/dialog', '<rootDir>/client/headless'],
  testRegex: '\\.(e2e-)?spec\\.ts$',
  testEnvironment: '<rootDir>/test/support/shared-environment.js',
  runtime: '<rootDir>/test/support/shared-runtime.js',
  // Three for two cores: a third of the time, tests wait for the service rather than compute.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // Ends a test that hangs. A machine that is busy with something else is no failure.
  testTimeout: 300_000,
  workerIdleMemoryLimit: '1GB',
  transform: { '^.+\\.(ts|m?js)$': ['@swc/jest', swc] },
  transformIgnorePatterns: ['/.cache/packages/'],
  moduleNameMapper: {
    '^@retention-flow/client$': '<rootDir>/client/src/index.ts',
    '^@retention-flow/definition-schema$': '<rootDir>/test/support/definition-schema.ts',
    ...Object.fromEntries(Object.entries(packages.files).map(([name, file]) => [`^${name}$`, `<rootDir>/${file}`])),
  },
  cacheDirectory: '<rootDir>/.cache/jest',
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};
