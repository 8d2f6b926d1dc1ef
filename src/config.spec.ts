import { Config, ConfigError } from './config';

describe('Config', () => {
  it('has a default for everything', () => {
    expect(Config.fromEnv({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      databaseUrl: undefined,
      dataDir: '.data',
      databasePoolSize: 10,
      adminApiKey: undefined,
      defaultSessionLimit: 1000,
      runtimeRequestsPerMinute: 600,
      managementRequestsPerMinute: 1200,
      trustProxy: [],
      eventWorkers: 800,
      eventRetentionDays: 30,
      webhookAllowedNetworks: [],
      mail: undefined,
      redisUrl: undefined,
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
    ['EVENT_WORKERS', '10001'],
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
    ['LOG_LEVEL', 'loud'],
  ])('refuses %s=%s with one line that names it', (name, value) => {
    const start = () => Config.fromEnv({ [name]: value });
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(new RegExp(`^${name} must be [^\\n]+$`));
  });

  it('never prints a secret', () => {
    expect(() => Config.fromEnv({ ADMIN_API_KEY: 'hunter2' })).toThrow(/^(?!.*hunter2)/);
    expect(() => Config.fromEnv({ DATABASE_URL: 'mysql://me:hunter2@host/db' })).toThrow(/^(?!.*hunter2)/);
    expect(() => Config.fromEnv({ SMTP_URL: 'smtp://me:hunter2@host/path' })).toThrow(/^(?!.*hunter2)/);
  });
});
