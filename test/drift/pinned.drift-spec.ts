import { spawnSync } from 'node:child_process';
import { FileTypeValidator } from '@nestjs/common';
import Fastify from 'fastify';
import { png } from '../support/pictures';

/**
 * Packages are pinned where their newest version does not run on the oldest Node that is supported. What uses them has
 * to work; those of Nest's command build the service before most tests.
 */
describe('The pinned packages', () => {
  it('leave nothing that the Node here is too old for', () => {
    const { stderr } = spawnSync('npm', ['ci', '--dry-run'], { encoding: 'utf8' });
    expect(stderr).not.toContain('EBADENGINE');
  });

  it('send the cookies of an injected request', async () => {
    const fastify = Fastify();
    fastify.get('/', (request) => request.headers.cookie);
    expect((await fastify.inject({ url: '/', cookies: { rf: 'a b' } })).body).toBe('rf=a%20b');
    await fastify.close();
  });

  it('know a picture by its first bytes', async () => {
    const validator = new FileTypeValidator({ fileType: 'image/png' });
    const isValid = (buffer: Buffer) => validator.isValid({ mimetype: 'image/png', size: buffer.length, buffer });
    expect(await isValid(png(2, 2))).toBe(true);
    expect(await isValid(Buffer.from('no picture'))).toBe(false);
  });
});
