import { createSetupLink } from '../people/links/setup-link';
import { ConfigError } from '../settings/config';
import { onRunningDatabase } from './attributed-errors';
import type { Given } from './command';

/** Prints a new link for the first person. */
export async function printSetupLink({ config, print }: Given): Promise<void> {
  const { publicUrl, host, port, passwords } = config;
  if (!passwords) throw new ConfigError('PASSWORDS must be on: the first person chooses one');
  const base = publicUrl ?? `http://${reachable(host)}:${port}`;
  const link = await onRunningDatabase(config, (url) => createSetupLink(url, base));
  if (!link) throw new ConfigError('There is a person already: an owner invites others, and the operator owners');
  print(link);
}

/** A HOST as it stands in an address that opens on this machine (RFC 3986, 3.2.2). */
function reachable(host: string): string {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return address.includes(':') ? `[${address}]` : address;
}
