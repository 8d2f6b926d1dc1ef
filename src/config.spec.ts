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
      logLevel: 'info',
    });
  });

  it('counts an empty variable as not set', () => {
    expect(Config.fromEnv({ PORT: '', DATABASE_URL: '', ADMIN_API_KEY: '', LOG_LEVEL: '' })).toEqual(
      Config.fromEnv({}),
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
    ['ADMIN_API_KEY', 'with spaces in it, however long'],
    ['DEFAULT_SESSION_LIMIT', '2147483648'],
    ['LOG_LEVEL', 'loud'],
  ])('refuses %s=%s with one line that names it', (name, value) => {
    const start = () => Config.fromEnv({ [name]: value });
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(new RegExp(`^${name} must be [^\\n]+$`));
  });

  it('never repeats a secret', () => {
    expect(() => Config.fromEnv({ ADMIN_API_KEY: 'hunter2' })).toThrow(/^(?!.*hunter2)/);
    expect(() => Config.fromEnv({ DATABASE_URL: 'mysql://me:hunter2@host/db' })).toThrow(/^(?!.*hunter2)/);
  });
});
