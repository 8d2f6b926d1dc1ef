import { valuesIn } from './walk.ts';

/** A host that a document sends somebody to. */
export interface NamedHost {
  host: string;
  pointer: string;
}

/** The hosts that a document names and a workspace does not: those of another environment, perhaps. */
export function newHostsIn(document: unknown, workspace: unknown): NamedHost[] {
  const known = new Set(hostsIn(workspace).map(({ host }) => host));
  return hostsIn(document).filter(({ host }) => !known.has(host) && known.add(host));
}

function hostsIn(document: unknown): NamedHost[] {
  return [...valuesIn(document)].flatMap(({ value, pointer }) => {
    const isHost = /^\/settings\/image_hosts\/\d+$/.test(pointer);
    const address =
      typeof value === 'string' && (isHost ? `https://${value}` : /^[a-z]+:\/\/\S+$/i.test(value) && value);
    return address && URL.canParse(address) ? { host: new URL(address).host, pointer } : [];
  });
}
