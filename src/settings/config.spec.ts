import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config, ConfigError } from './config';

describe('Config', () => {
  it('has a default for everything', () => {
    expect(Config.fromEnv({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      operationPort: 0,
      databaseUrl: undefined,
      dataDir: '.data',
      isTraced: false,
      databasePoolSize: 10,
      encryptionKeys: [],
      stripeApiUrl: 'https://api.stripe.com',
      adminApiKey: undefined,
      defaultSessionLimit: 1_000_000,
      runtimeRequestsPerMinute: 600,
      managementRequestsPerMinute: 1200,
      failedAuthenticationsPerMinute: 20,
      declarationsPerHour: 20,
      declarationRetentionMonths: 36,
      maxFlowsPerWorkspace: 10_000,
      maxOffersPerWorkspace: 10_000,
      maxVersionsPerFlow: 1000,
      maxVersionsPerWorkspace: 20_000,
      trustProxy: [],
      backgroundJobs: true,
      maxDeliveriesInFlight: 800,
      sendNothing: false,
      eventRetentionDays: 30,
      webhookAllowedNetworks: [],
      mail: undefined,
      redisUrl: undefined,
      publicUrl: undefined,
      passwords: true,
      openId: undefined,
      changesRetentionMonths: undefined,
      sessionRetentionMonths: undefined,
      logLevel: 'info',
    });
  });

  it('treats an empty variable as not set', () => {
    expect(Config.fromEnv({ PORT: '', DATABASE_URL: '', ADMIN_API_KEY: '', LOG_LEVEL: '' })).toEqual(
      Config.fromEnv({}),
    );
  });

  it('accepts proxies as addresses and networks, IPv4 and IPv6', () => {
    const { trustProxy } = Config.fromEnv({ TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,::1,fd00::/8' });
    expect(trustProxy).toEqual(['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8']);
  });

  it.each([
    ['flows@acme.example', { name: '', address: 'flows@acme.example' }],
    ['Acme <flows@acme.example>', { name: 'Acme', address: 'flows@acme.example' }],
    ['<flows@acme.example>', { name: '', address: 'flows@acme.example' }],
    ['"Acme, Inc." <flows@acme.example>', { name: 'Acme, Inc.', address: 'flows@acme.example' }],
  ])('reads the sender %s', (text, from) => {
    const smtpUrl = 'smtps://me%40acme.example:p%2Fw@mail.example:465';
    expect(Config.fromEnv({ SMTP_URL: smtpUrl, MAIL_FROM: text }).mail).toEqual({ smtpUrl, from });
  });

  it('needs a sender if it has a mail server', () => {
    expect(() => Config.fromEnv({ SMTP_URL: 'smtp://127.0.0.1:25' })).toThrow(/^MAIL_FROM must be [^\n]+$/);
    expect(Config.fromEnv({ MAIL_FROM: 'flows@acme.example' }).mail).toBeUndefined();
  });

  it('lets receipts be sent from MAIL_FROM alone, or from the domains that are named', () => {
    const mail = { SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: 'Acme <flows@Acme.example>' };
    const allowed = (env: NodeJS.ProcessEnv) =>
      [
        'a@acme.example',
        'Flows@acme.example',
        'a@sub.acme.example',
        'a@ACME.de',
        'a@müller.example',
        'a@xn--mller-kva.example',
      ].map((address) => Config.fromEnv(env).allowsSender(address));
    expect(allowed(mail)).toEqual([false, true, false, false, false, false]);
    expect(allowed({ ...mail, CONFIRMATION_DOMAINS: 'acme.de, Müller.example' })).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
    expect(allowed({})).toEqual([true, true, true, true, true, true]);
    expect(() => Config.fromEnv({ CONFIRMATION_DOMAINS: 'not a domain' })).toThrow(/^CONFIRMATION_DOMAINS must be .+$/);
  });

  it('reads an OpenID provider, with the roles of groups, and needs its client', () => {
    const issuer = { OIDC_ISSUER: 'https://login.acme.example/realm' };
    const client = { OIDC_CLIENT_ID: 'flows', OIDC_CLIENT_SECRET: 'hunter2' };
    const roles = { OIDC_ROLES_CLAIM: 'groups', OIDC_ROLES: 'urn:acme:admins:owner, team:editor' };
    expect(Config.fromEnv({ ...issuer, ...client, ...roles }).openId).toEqual({
      issuer: 'https://login.acme.example/realm',
      clientId: 'flows',
      clientSecret: 'hunter2',
      scopes: 'openid email profile',
      trustEmail: false,
      rolesClaim: 'groups',
      roles: 'urn:acme:admins:owner, team:editor',
      syncsRoles: false,
    });
    expect(Config.fromEnv({ ...issuer, ...client, ...roles, OIDC_ROLES_SYNC: 'true' }).openId!.syncsRoles).toBe(true);
    const scopes = (OIDC_SCOPES: string) => Config.fromEnv({ ...issuer, ...client, OIDC_SCOPES }).openId!.scopes;
    expect(scopes('openid email groups')).toBe('openid email groups');
    expect(() => scopes('email')).toThrow(/^OIDC_SCOPES must have openid in it, .+$/);
    expect(() => Config.fromEnv(issuer)).toThrow(/^OIDC_CLIENT_ID must be set, .+$/);
    expect(() => Config.fromEnv({ ...issuer, OIDC_CLIENT_ID: 'flows' })).toThrow(
      /^OIDC_CLIENT_SECRET must be set, .+$/,
    );
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '3e3'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_URL', 'postgres://'],
    ['DATABASE_URL', 'postgres://%zz@localhost/x'],
    ['DATABASE_POOL_SIZE', '1'],
    ['ADMIN_API_KEY', 'short'],
    ['MAX_DELIVERIES_IN_FLIGHT', '10001'],
    ['BACKGROUND_JOBS', '0'],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', 'http://localhost:6379'],
    ['REDIS_URL', 'redis://'],
    ['REDIS_URL', 'redis://%zz@localhost'],
    ['REDIS_URL', 'redis://localhost/first'],
    ['SESSION_RETENTION_MONTHS', '0'],
    ['SESSION_RETENTION_MONTHS', '1201'],
    ['SESSION_RETENTION_MONTHS', '1.5'],
    ['EVENT_RETENTION_DAYS', '6'],
    ['WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/33'],
    ['ADMIN_API_KEY', 'with spaces in it, however long'],
    ['DEFAULT_SESSION_LIMIT', '2147483648'],
    ['RUNTIME_REQUESTS_PER_MINUTE', '-1'],
    ['MANAGEMENT_REQUESTS_PER_MINUTE', 'many'],
    ['FAILED_AUTHENTICATIONS_PER_MINUTE', '-1'],
    ['MAX_FLOWS_PER_WORKSPACE', '0'],
    ['MAX_OFFERS_PER_WORKSPACE', '1e4'],
    ['MAX_VERSIONS_PER_FLOW', '0'],
    ['MAX_VERSIONS_PER_WORKSPACE', 'all'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', 'proxy.example'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.0/0'],
    ['TRUST_PROXY', '10.0.0.1, fe80::1%eth0'],
    ['TRUST_PROXY', '10.0.0.0/8/8'],
    ['SMTP_URL', 'mail.example:587'],
    ['SMTP_URL', 'http://mail.example'],
    ['SMTP_URL', 'smtp://'],
    ['SMTP_URL', 'smtp://mail.example:port'],
    ['SMTP_URL', 'smtp://%zz@mail.example'],
    ['SMTP_URL', 'smtp://mail.example?tls.rejectUnauthorized=false'],
    ['MAIL_FROM', 'Acme'],
    ['MAIL_FROM', 'Acme flows@acme.example'],
    ['MAIL_FROM', 'Acme <flows@acme.example> or so'],
    ['MAIL_FROM', 'Acme\r\nBcc: eve@evil.example <flows@acme.example>'],
    ['MAIL_FROM', 'flows@acme.example, eve@evil.example'],
    ['SEND_NOTHING', 'yes'],
    ['PUBLIC_URL', 'flows.acme.example'],
    ['PUBLIC_URL', 'https://flows.acme.example?query'],
    ['PASSWORDS', 'no'],
    ['PASSWORDS', 'off'],
    ['OIDC_ISSUER', 'http://login.acme.example'],
    ['OIDC_ROLES_SYNC', 'yes'],
    ['OIDC_ROLES_CLAIM', 'groups'],
    ['CHANGES_RETENTION_MONTHS', '0'],
    ['LOG_LEVEL', 'loud'],
  ])('refuses %s=%s with one line that names it', (name, value) => {
    const start = () => Config.fromEnv({ [name]: value });
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(new RegExp(`^${name} must be [^\\n]+$`));
  });

  describe('reads a secret from a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'retention-flow-config-'));
    const path = join(folder, 'secret');
    afterAll(() => rmSync(folder, { recursive: true }));

    it.each([
      ['DATABASE_URL', 'postgres://me@db/flows', ({ databaseUrl }: Config) => databaseUrl],
      ['ADMIN_API_KEY', 'a-key-of-at-least-24-characters', ({ adminApiKey }: Config) => adminApiKey],
      ['SMTP_URL', 'smtp://mail.example:587', ({ mail }: Config) => mail!.smtpUrl],
      ['REDIS_URL', 'redis://redis:6379', ({ redisUrl }: Config) => redisUrl],
      ['OIDC_CLIENT_SECRET', 'hunter2', ({ openId }: Config) => openId!.clientSecret],
    ])('that %s_FILE names, without the line break at its end', (name, secret, read) => {
      const others = { MAIL_FROM: 'flows@acme.example', OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'flows' };
      const needed = name === 'OIDC_CLIENT_SECRET' ? others : { MAIL_FROM: others.MAIL_FROM };
      for (const end of ['', '\n', '\r\n']) {
        writeFileSync(path, secret + end);
        const config = Config.fromEnv({ [`${name}_FILE`]: path, [name]: '', ...needed });
        expect(read(config)).toBe(secret);
      }
    });

    it.each([
      [
        'that is not there',
        () => ({ ADMIN_API_KEY_FILE: join(folder, 'none') }),
        /^ADMIN_API_KEY_FILE can't be read: .+$/,
      ],
      ['that is a folder', () => ({ DATABASE_URL_FILE: folder }), /^DATABASE_URL_FILE can't be read: .+$/],
      [
        'beside the setting itself',
        () => ({ SMTP_URL_FILE: path, SMTP_URL: 'smtp://mail.example' }),
        /^SMTP_URL_FILE and SMTP_URL are both set.*$/,
      ],
      [
        'that is empty',
        () => {
          writeFileSync(path, '\n');
          return { DATABASE_URL_FILE: path };
        },
        /^DATABASE_URL_FILE names an empty file$/,
      ],
      [
        'with a bad value, without printing it',
        () => {
          writeFileSync(path, 'hunter2');
          return { ADMIN_API_KEY_FILE: path };
        },
        /^ADMIN_API_KEY must be (?!.*hunter2).+$/,
      ],
    ])('but refuses one %s', (_, env, message) => {
      const start = () => Config.fromEnv(env());
      expect(start).toThrow(ConfigError);
      expect(start).toThrow(message);
    });
  });

  it('never prints a secret', () => {
    expect(() => Config.fromEnv({ ADMIN_API_KEY: 'hunter2' })).toThrow(/^(?!.*hunter2)/);
    expect(() => Config.fromEnv({ DATABASE_URL: 'mysql://me:hunter2@host/db' })).toThrow(/^(?!.*hunter2)/);
    expect(() => Config.fromEnv({ SMTP_URL: 'smtp://me:hunter2@host/path' })).toThrow(/^(?!.*hunter2)/);
  });
});
