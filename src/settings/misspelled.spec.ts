import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { misspelledSettings, SETTINGS } from './misspelled';

const meantBy = (...names: string[]) => misspelledSettings(Object.fromEntries(names.map((name) => [name, 'x'])));

describe('A misspelled setting', () => {
  it.each([
    ['TRUST_PROXYS', 'TRUST_PROXY'],
    ['TRUSTED_PROXY', 'TRUST_PROXY'],
    ['trust_proxy', 'TRUST_PROXY'],
    ['REDIS_URI', 'REDIS_URL'],
    ['DATABASE_URL_FILES', 'DATABASE_URL_FILE'],
    ['DATABASE_POOL', 'DATABASE_POOL_SIZE'],
    ['ADMIN_APIKEY', 'ADMIN_API_KEY'],
    ['SESSION_RETENTION_DAYS', 'SESSION_RETENTION_MONTHS'],
    ['EVENT_RETENTION', 'EVENT_RETENTION_DAYS'],
    ['RUNTIME_REQUESTS_PER_SECOND', 'RUNTIME_REQUESTS_PER_MINUTE'],
    ['MANAGEMENT_REQUEST_PER_MINUTE', 'MANAGEMENT_REQUESTS_PER_MINUTE'],
    ['WEBHOOKS_ALLOWED_NETWORKS', 'WEBHOOK_ALLOWED_NETWORKS'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['DATA_DIRECTORY', 'DATA_DIR'],
  ])('%s is taken for %s', (name, meant) => {
    expect(meantBy(name)).toEqual([{ name, meant }]);
  });

  it('is none of what other programs, containers and platforms set', () => {
    const others =
      'PATH HOME HOSTNAME HOSTS GHOST PGHOST PORTS POST PWD SHELL USER LANG TZ NODE_ENV NODE_OPTIONS npm_config_loglevel ' +
      'npm_package_version CI DEBUG KUBERNETES_SERVICE_HOST KUBERNETES_PORT REDIS_HOST REDIS_PORT REDIS_SERVICE_HOST ' +
      'REDIS_TLS_URL DATABASE_HOST DATABASE_NAME DATABASE_USER DATABASE_PASSWORD POSTGRES_PASSWORD PGDATA SMTP_HOST ' +
      'OTEL_SERVICE_NAME OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_TRACES_ENDPOINT OTEL_EXPORTER_OTLP_PROTOCOL ' +
      'SMTP_PORT SMTP_USER MAIL_HOST MAILTO XDG_DATA_DIRS LOG_FILE LOG_FORMAT HTTP_PROXY NO_PROXY';
    expect(meantBy(...others.split(' '))).toEqual([]);
  });

  it('is not one of the settings themselves, and none that is empty', () => {
    expect(meantBy('HOST', 'PORT', 'TRUST_PROXY', 'MAIL_FROM', 'SMTP_URL_FILE', 'SESSION_RETENTION_MONTHS')).toEqual(
      [],
    );
    expect(misspelledSettings({ TRUST_PROXYS: '' })).toEqual([]);
  });
});

describe('Each setting', () => {
  const read = (path: string) => readFileSync(join(__dirname, '../..', path), 'utf8');
  const settings = [...SETTINGS].filter((name) => !name.endsWith('_FILE'));

  it('is documented', () => {
    const documented = read('docs/configuration.md');
    expect(settings.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  });

  it('is passed on by compose.yaml, unless it is about the inside of the container', () => {
    const passed = read('compose.yaml');
    const inside = ['HOST', 'PORT', 'OPERATION_PORT', 'DATA_DIR'];
    expect(settings.filter((name) => !passed.includes(`\n      ${name}: `)).toSorted()).toEqual(inside.toSorted());
  });

  it('is in the example of settings for systemd, unless the unit has it or needs none', () => {
    const example = read('deploy/systemd/env.example');
    const others = ['HOST', 'PORT', 'DATA_DIR'];
    expect(settings.filter((name) => !new RegExp(`^#?${name}=`, 'm').test(example)).toSorted()).toEqual(
      others.toSorted(),
    );
  });

  it('is in the settings for Kubernetes, those with secrets as files, unless it is about the inside of the container', () => {
    const base = read('deploy/kubernetes/base/config.env');
    const inside = ['HOST', 'PORT', 'DATA_DIR'];
    const isIn = (name: string) =>
      new RegExp(`^${name}${SETTINGS.has(`${name}_FILE`) ? '_FILE' : ''}=`, 'm').test(base);
    expect(settings.filter((name) => !isIn(name)).toSorted()).toEqual(inside.toSorted());
  });
});
