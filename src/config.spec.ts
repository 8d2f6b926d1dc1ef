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
      eventWorkers: 200,
      eventRetentionDays: 30,
      webhookAllowedNetworks: [],
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
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '3e3'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_URL', 'postgres://'],
    ['DATABASE_URL', 'postgres://%zz@localhost/x'],
    ['DATABASE_POOL_SIZE', '1'],
    ['ADMIN_API_KEY', 'short'],
    ['EVENT_WORKERS', '1001'],
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
    ['LOG_LEVEL', 'loud'],
  ])('refuses %s=%s with one line that names it', (name, value) => {
    const start = () => Config.fromEnv({ [name]: value });
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(new RegExp(`^${name} must be [^\\n]+$`));
  });

  it('never prints a secret', () => {
    expect(() => Config.fromEnv({ ADMIN_API_KEY: 'hunter2' })).toThrow(/^(?!.*hunter2)/);
    expect(() => Config.fromEnv({ DATABASE_URL: 'mysql://me:hunter2@host/db' })).toThrow(/^(?!.*hunter2)/);
  });
});
