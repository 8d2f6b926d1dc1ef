import { withClient } from '../../platform/database/connection/client';
import { NOW } from '../../platform/database/time';
import { hashOf } from '../../workspaces/api-keys/api-key-secret';
import { createToken, linkTo } from './token';

/** While there is no person. $1: the hash of a token. */
const CREATE = `
  INSERT INTO one_time_links (hash, expires_at) SELECT $1, ${NOW} + interval '1 hour' WHERE NOT EXISTS (SELECT FROM people)`;

/** Makes the link if there has been none before. */
const CREATE_FIRST = `${CREATE} AND NOT EXISTS (SELECT FROM one_time_links)`;

/**
 * A new link that makes the first person of a service, an owner. It works once, within an hour. undefined if there is a
 * person.
 *
 * @param url of the database
 * @param base the address of the service
 * @param isFirst only if there has been no link before
 */
export async function createSetupLink(url: string, base: string, isFirst = false): Promise<string | undefined> {
  const token = createToken();
  const create = isFirst ? CREATE_FIRST : CREATE;
  const { rowCount } = await withClient({ connectionString: url }, (client) => client.query(create, [hashOf(token)]));
  return rowCount ? linkTo('setup', token, base) : undefined;
}
