import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020';
import { namesOf, shapeOf } from '../../web/definition-schema.mjs';

// As the build of the console makes it.
const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as object;
export const validate = new Ajv2020({ allErrors: true, discriminator: true, strict: false }).compile(shapeOf(document));
export const names = namesOf(document);
