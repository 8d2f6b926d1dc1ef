import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a provider says of somebody. */
export interface Account {
  sub: string;
  email: string;
  /** Some send it as a text, or not at all. */
  email_verified?: boolean | 'true' | 'false';
  name?: string;
  groups?: string[];
  /** Claims that are only in the ID token. */
  idToken?: object;
}

/** All that any of them may be asked for. */
const CLAIMS = [
  'email',
  'email_verified',
  'name',
  'groups',
  'realm_access',
  'resource_access',
  'urn:zitadel:iam:org:project:roles',
  'cognito:groups',
  'cognito:username',
  'oid',
  'hd',
];

interface Grant {
  addOIDCScope(scope: string): void;
  save(): Promise<unknown>;
}
interface Context {
  oidc: { client: { clientId: string }; session: { accountId: string } };
}
interface Provider {
  Grant: new (of: { clientId: string; accountId: string }) => Grant;
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
}

export const CLIENT = { OIDC_CLIENT_ID: 'retention-flow', OIDC_CLIENT_SECRET: 'the-secret-of-the-client' };

/** An OpenID provider in this process, at which everybody who comes is signed in as one account. */
export class OpenIdProvider {
  /** Who is signed in there. */
  account: Account = { sub: 'ada', email: 'ada@acme.example', email_verified: true };

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
  ) {}

  /** @param callback where it sends people back to */
  static async start(callback: () => string): Promise<OpenIdProvider> {
    // It says what a provider in production needs.
    for (const method of ['info', 'warn'] as const) jest.spyOn(console, method).mockImplementation();
    const { Provider } = jest.requireActual<{
      Provider: new (issuer: string, settings: object) => Provider;
    }>('oidc-provider');
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const own = new OpenIdProvider(issuer, server);
    const settings = {
      clients: [
        {
          client_id: CLIENT.OIDC_CLIENT_ID,
          client_secret: CLIENT.OIDC_CLIENT_SECRET,
          redirect_uris: [callback()],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      claims: { email: CLAIMS, profile: [] },
      // As Keycloak, Entra ID, Cognito and Google do, which all answer at their userinfo endpoint, too.
      conformIdTokenClaims: false,
      cookies: { keys: ['of the provider'] },
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      interactions: { url: () => '/interaction' },
      findAccount: () => ({
        accountId: own.account.sub,
        claims: (use: 'id_token' | 'userinfo') => {
          const { idToken, ...claims } = own.account;
          return use === 'id_token' ? { ...claims, ...idToken } : claims;
        },
      }),
      loadExistingGrant: async ({ oidc: { client, session } }: Context) => {
        const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    };
    const provider = new Provider(issuer, settings);
    const handle = provider.callback();
    server.on('request', (request, response) => {
      const login = { login: { accountId: own.account.sub } };
      if (request.url === '/interaction') void provider.interactionFinished(request, response, login);
      else void handle(request, response);
    });
    return own;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
