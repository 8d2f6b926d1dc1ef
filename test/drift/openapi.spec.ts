import { readFileSync, writeFileSync } from 'node:fs';
import { createDocument } from '../../src/openapi';
import { Service } from '../support/service';

const FILE = 'docs/openapi.json';

describe(FILE, () => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());

  it('is the document of the code (npm run openapi writes it)', () => {
    const document = `${JSON.stringify(createDocument(service.app), null, 2)}\n`;
    if (process.env.WRITE_OPENAPI) writeFileSync(FILE, document);
    expect(readFileSync(FILE, 'utf8')).toBe(document);
  });

  it('has the version of the package', () => {
    const versionOf = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as { version: string };
    expect(createDocument(service.app).info.version).toBe(versionOf('package.json').version);
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
