import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createDocument } from '../../src/app/openapi/document';
import { serviceForAll } from '../support/service';

const FILE = 'docs/openapi.json';
const TYPES = 'client/src/api.ts';

describe(FILE, () => {
  const service = serviceForAll();

  it('is the document of the code (npm run openapi writes it)', () => {
    const document = `${JSON.stringify(createDocument(service.app), null, 2)}\n`;
    if (process.env.WRITE_OPENAPI) writeFileSync(FILE, document);
    expect(readFileSync(FILE, 'utf8')).toBe(document);
  });

  it('is where the types of the client come from: client/src/api.ts (npm run openapi writes it)', () => {
    const input = JSON.stringify(createDocument(service.app));
    // Defaults are the service's: a client need not send the field.
    const types = execFileSync('test/openapi/node_modules/.bin/openapi-typescript', ['--default-non-nullable=false'], {
      input,
    });
    if (process.env.WRITE_OPENAPI) writeFileSync(TYPES, types);
    // Not toBe, which would print all 12,000 lines.
    expect(readFileSync(TYPES).equals(types)).toBe(true);
  });

  it('has the version of the package and of its client', () => {
    const versionOf = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as { version: string };
    const { version } = createDocument(service.app).info;
    for (const file of ['package.json', 'client/package.json']) expect(versionOf(file).version).toBe(version);
  });

  it('is what the service answers at /openapi.json', async () => {
    const response = await fetch(`${service.client.baseUrl}/openapi.json`);
    expect(await response.json()).toEqual(JSON.parse(readFileSync(FILE, 'utf8')));
  });

  it('has a page for people at /docs', async () => {
    const response = await fetch(`${service.client.baseUrl}/docs`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('swagger-ui');
  });
});
