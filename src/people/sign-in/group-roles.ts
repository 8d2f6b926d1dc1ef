import { ConfigError } from '../../settings/config';
import { type Role, ROLES } from '../../tenancy/access/role';

/** What ends an entry of `OIDC_ROLES`. */
const ENTRY_END = new RegExp(`(?<=:(?:${ROLES.join('|')})\\s*),`);

/**
 * The roles of groups in `OIDC_ROLES`: `group:role`, separated by commas. A group may contain colons, and as a name of
 * LDAP commas: `CN=Admins,OU=Groups`. Throws a ConfigError that names the setting.
 */
export function groupRolesIn(text: string): Map<string, Role> {
  const entries = text.split(ENTRY_END).flatMap((entry) => entry.trim() || []);
  return new Map(
    entries.map((entry) => {
      const [, group, role] = /^(.+):(\w+)$/.exec(entry) ?? [];
      const isGroup = group?.split(',').every((part, _, { length }) => length === 1 || part.includes('='));
      if (isGroup && ROLES.includes(role as Role)) return [group, role as Role];
      throw new ConfigError(
        `OIDC_ROLES must be like admins:owner,team:editor with ${ROLES.join(', ')}, not "${entry}"`,
      );
    }),
  );
}
