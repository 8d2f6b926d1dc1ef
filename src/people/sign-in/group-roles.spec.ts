import { ConfigError } from '../../settings/config';
import { groupRolesIn } from './group-roles';

describe('OIDC_ROLES', () => {
  it.each([
    ['', []],
    [
      'urn:acme:admins:owner, team:editor',
      [
        ['urn:acme:admins', 'owner'],
        ['team', 'editor'],
      ],
    ],
    [
      'CN=Admins,OU=IT:Ops,DC=acme:owner,team:editor',
      [
        ['CN=Admins,OU=IT:Ops,DC=acme', 'owner'],
        ['team', 'editor'],
      ],
    ],
  ])('names the roles of groups, with colons and LDAP names in them: %s', (text, roles) => {
    expect([...groupRolesIn(text)]).toEqual(roles);
  });

  it.each(['admins', 'admins:king', 'admins,team:editor', 'admins:king,team:editor'])(
    'is refused with one line that names it: %s',
    (text) => {
      expect(() => groupRolesIn(text)).toThrow(ConfigError);
      expect(() => groupRolesIn(text)).toThrow(/^OIDC_ROLES must be [^\n]+$/);
    },
  );
});
