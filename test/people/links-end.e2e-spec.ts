import { randomUUID } from 'node:crypto';
import { Client } from '../support/client';
import { PASSWORD, Service, serviceForAll, Tenant, tokenIn } from '../support/service';

const PUBLIC = '/api/v1/public';
const AUTH = '/api/v1/auth';
const NEW_PASSWORD = 'another good password';

/**
 * An owner makes an invitation and a link to set a password; both reach whom they are for, or fall into other hands.
 */
interface Case {
  acme: Tenant;
  /** Who stays an owner. */
  owner: Client;
  /** The owner who makes the links. */
  maker: Client;
  makerId: string;
  /** Whom the password link is for. */
  grace: Client;
  graceId: string;
  graceEmail: string;
}

describe('Links and sessions', () => {
  const service: Service = serviceForAll();

  const idOf = async (person: Client): Promise<string> => (await person.get(`${PUBLIC}/me`)).body.actor.id;

  async function begin(): Promise<Case> {
    const acme = await service.workspace();
    const graceEmail = `${randomUUID()}@acme.example`;
    const [owner, maker] = [await service.person(acme), await service.person(acme)];
    const grace = await service.person(acme, 'editor', graceEmail);
    return { acme, owner, maker, makerId: await idOf(maker), grace, graceId: await idOf(grace), graceEmail };
  }

  const post = async (path: string, body: object) => (await service.client.post(path, body)).status;

  /** What may be used later. Each way returns the status of the use. */
  const LINKS = {
    invitation: async ({ maker }: Case) => {
      const invitation = { email: `${randomUUID()}@acme.example`, role: 'owner' };
      const { link } = (await maker.post(`${PUBLIC}/invitations`, invitation)).body;
      const acceptance = { token: tokenIn(link), name: 'Carl', password: PASSWORD };
      return () => post(`${AUTH}/invitation/accept`, acceptance);
    },
    'password link': async ({ maker, graceId }: Case) => {
      const { link } = (await maker.send('POST', `${PUBLIC}/people/${graceId}/password-link`)).body;
      return () => post(`${AUTH}/password`, { token: tokenIn(link), password: NEW_PASSWORD });
    },
    'her session': ({ grace, acme }: Case) =>
      Promise.resolve(async () => (await grace.get(`${PUBLIC}/flows`, { 'workspace-id': acme.id })).status),
    'another session of hers': async ({ graceEmail, acme }: Case) => {
      const signedIn = await service.client.post(`${AUTH}/session`, { email: graceEmail, password: PASSWORD });
      const other = service.client.signedIn(signedIn);
      return async () => (await other.get(`${PUBLIC}/flows`, { 'workspace-id': acme.id })).status;
    },
    "the maker's session": ({ maker, acme }: Case) =>
      Promise.resolve(async () => (await maker.get(`${PUBLIC}/invitations`, { 'workspace-id': acme.id })).status),
  };

  /** What happens before the use. */
  const EVENTS: Record<string, (of: Case) => Promise<unknown>> = {
    nothing: () => Promise.resolve(),
    'she joins another workspace': async ({ graceEmail }) => {
      const other = await service.workspace();
      const invitation = { email: graceEmail, role: 'owner' };
      const path = `/api/v1/admin/workspaces/${other.id}/invitations`;
      const { link } = (await service.operator.post(path, invitation)).body;
      await service.client.post(`${AUTH}/invitation/accept`, { token: tokenIn(link), password: PASSWORD });
    },
    'she is removed': ({ owner, graceId }) => owner.delete(`${PUBLIC}/people/${graceId}`),
    'she becomes a viewer': ({ owner, graceId }) => owner.put(`${PUBLIC}/people/${graceId}`, { role: 'viewer' }),
    'she changes her password': ({ grace }) =>
      grace.put(`${PUBLIC}/me/password`, { current_password: PASSWORD, password: 'my own new password' }),
    'she signs out everywhere': ({ grace }) => grace.delete(`${PUBLIC}/me/sessions`),
    'the maker is removed': ({ owner, makerId }) => owner.delete(`${PUBLIC}/people/${makerId}`),
    'the maker is an editor now': ({ owner, makerId }) => owner.put(`${PUBLIC}/people/${makerId}`, { role: 'editor' }),
    'the maker left and is back': async ({ owner, makerId }) => {
      await owner.put(`${PUBLIC}/people/${makerId}`, { role: 'editor' });
      await owner.put(`${PUBLIC}/people/${makerId}`, { role: 'owner' });
    },
    'eight days pass': async ({ acme }) => {
      await service.letPass('8 days', acme);
      const ofService = `SET expires_at = expires_at - interval '8 days' WHERE workspace_id = $1`;
      await service.database.query(`UPDATE one_time_links ${ofService}`, [acme.id]);
      await service.database.query(
        `UPDATE person_sessions SET last_used_at = last_used_at - interval '8 days'
          WHERE person_id IN (SELECT person_id FROM members WHERE workspace_id = $1)`,
        [acme.id],
      );
    },
  };

  /** In the order of LINKS: the status of each after the event. */
  const AFTER: [event: string, statuses: number[]][] = [
    ['nothing', [200, 200, 200, 200, 200]],
    ['she joins another workspace', [200, 404, 200, 200, 200]],
    ['she is removed', [200, 404, 401, 401, 200]],
    ['she becomes a viewer', [200, 200, 200, 200, 200]],
    ['she changes her password', [200, 404, 200, 401, 200]],
    ['she signs out everywhere', [200, 404, 401, 401, 200]],
    ['the maker is removed', [404, 404, 200, 200, 401]],
    ['the maker is an editor now', [404, 404, 200, 200, 403]],
    ['the maker left and is back', [404, 404, 200, 200, 200]],
    ['eight days pass', [404, 404, 401, 401, 401]],
  ];

  it.each(AFTER)('work once, unless their reason has gone: %s', async (event, statuses) => {
    expect(Object.keys(EVENTS)).toContain(event);
    // Each in a workspace of its own: using a link is an event, too.
    const used = Object.values(LINKS).map(async (make) => {
      const of = await begin();
      const use = await make(of);
      await EVENTS[event](of);
      return use();
    });
    expect(await Promise.all(used)).toEqual(statuses);
  });

  it.each(['invitation', 'password link'] as const)('open nothing the second time: %s', async (kind) => {
    const use = await LINKS[kind](await begin());
    expect([await use(), await use()]).toEqual([200, 404]);
  });

  it('end in the table of every event', () => {
    expect(AFTER.map(([event]) => event)).toEqual(Object.keys(EVENTS));
  });

  it('of a workspace that somebody was removed from do nothing for them elsewhere', async () => {
    const { acme, owner, grace, graceId, graceEmail } = await begin();
    const { link } = (await owner.send('POST', `${PUBLIC}/people/${graceId}/password-link`)).body;
    // As if she had joined and left at the same moment as the link was made.
    const other = await service.workspace();
    await service.database.query(`UPDATE members SET workspace_id = $1 WHERE person_id = $2 AND workspace_id = $3`, [
      other.id,
      graceId,
      acme.id,
    ]);
    expect(await post(`${AUTH}/password`, { token: tokenIn(link), password: NEW_PASSWORD })).toBe(404);
    expect(await post(`${AUTH}/session`, { email: graceEmail, password: PASSWORD })).toBe(200);
    expect((await grace.get(`${PUBLIC}/flows`)).status).toBe(200);
  });
});
