import { isIP } from 'node:net';
import { isEmail } from 'class-validator';
import { INT4_MAX } from './common/limits';

/** A setting that the service cannot run with. The message is one line that names the variable. */
export class ConfigError extends Error {}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** The server that takes mails, and their sender. */
export interface MailSettings {
  smtpUrl: string;
  from: { name: string; address: string };
}

/** All settings, validated. Only `fromEnv` reads the environment. */
export class Config {
  readonly host: string;
  readonly port: number;
  /** Connection URL of a PostgreSQL 15 or later; undefined: the embedded one. */
  readonly databaseUrl?: string;
  /** Where the embedded Postgres keeps its files. */
  readonly dataDir: string;
  /** The maximum number of connections to Postgres of this process. */
  readonly databasePoolSize: number;
  /** The operator's key; undefined: the operator API is off. */
  readonly adminApiKey?: string;
  /** Sessions per month for a workspace created without a limit of its own. */
  readonly defaultSessionLimit: number;
  /** To the runtime API, per client address (IPv6: per /64); 0: unlimited. */
  readonly runtimeRequestsPerMinute: number;
  /** To the management API, per key; 0: unlimited, and so are failed authentications. */
  readonly managementRequestsPerMinute: number;
  /** Addresses and CIDRs of proxies whose forwarded client addresses are trusted. */
  readonly trustProxy: string[];
  /** Deliveries of events under way at a time; 0: this process delivers none. */
  readonly eventWorkers: number;
  /** Days after which events are deleted, delivered or not. */
  readonly eventRetentionDays: number;
  /** Addresses and CIDRs of private networks that webhooks may be in. */
  readonly webhookAllowedNetworks: string[];
  /** undefined: no mail is sent. */
  readonly mail?: MailSettings;
  /** A Redis in which all processes count requests against the limits; undefined: each process counts its own. */
  readonly redisUrl?: string;
  /** How many whole months sessions are kept, in addition to the current one; undefined: they are not deleted. */
  readonly sessionRetentionMonths?: number;
  readonly logLevel: string;

  private constructor(values: Omit<Config, 'onDatabase'>) {
    Object.assign(this, values);
  }

  /** Throws a ConfigError for the first invalid value. An empty variable counts as not set. */
  static fromEnv(env: NodeJS.ProcessEnv): Config {
    return new Config({
      host: env.HOST || '127.0.0.1',
      port: integer(env, 'PORT', 3000, 0, 65_535),
      databaseUrl: postgresUrl(env, 'DATABASE_URL'),
      dataDir: env.DATA_DIR || '.data',
      // With a single connection, one slow statement would block everything.
      databasePoolSize: integer(env, 'DATABASE_POOL_SIZE', 10, 2, 1000),
      adminApiKey: secret(env, 'ADMIN_API_KEY', 24),
      defaultSessionLimit: integer(env, 'DEFAULT_SESSION_LIMIT', 1000, 0, INT4_MAX),
      runtimeRequestsPerMinute: integer(env, 'RUNTIME_REQUESTS_PER_MINUTE', 600, 0, INT4_MAX),
      managementRequestsPerMinute: integer(env, 'MANAGEMENT_REQUESTS_PER_MINUTE', 1200, 0, INT4_MAX),
      trustProxy: networks(env, 'TRUST_PROXY'),
      eventWorkers: integer(env, 'EVENT_WORKERS', 800, 0, 10_000),
      // The attempts of a delivery take up to four days.
      eventRetentionDays: integer(env, 'EVENT_RETENTION_DAYS', 30, 7, 3650),
      webhookAllowedNetworks: networks(env, 'WEBHOOK_ALLOWED_NETWORKS'),
      mail: mailSettings(env),
      redisUrl: redisUrl(env, 'REDIS_URL'),
      sessionRetentionMonths: env.SESSION_RETENTION_MONTHS
        ? integer(env, 'SESSION_RETENTION_MONTHS', 0, 1, 1200)
        : undefined,
      logLevel: oneOf(env, 'LOG_LEVEL', 'info', LOG_LEVELS),
    });
  }

  /** The same configuration with another database: the embedded one, once it runs. */
  onDatabase(databaseUrl: string): Config {
    return Object.assign(Object.create(Config.prototype), this, { databaseUrl });
  }
}

function integer(env: NodeJS.ProcessEnv, name: string, fallback: number, min: number, max: number): number {
  const text = env[name] || String(fallback);
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max)) {
    throw new ConfigError(`${name} must be an integer from ${min} to ${max}, not "${text}"`);
  }
  return value;
}

function oneOf(env: NodeJS.ProcessEnv, name: string, fallback: string, values: string[]): string {
  const value = env[name] || fallback;
  if (!values.includes(value)) throw new ConfigError(`${name} must be one of ${values.join(', ')}, not "${value}"`);
  return value;
}

function secret(env: NodeJS.ProcessEnv, name: string, minLength: number): string | undefined {
  const value = env[name] || undefined;
  if (value && (value.length < minLength || !/^[\x21-\x7e]+$/.test(value))) {
    throw new ConfigError(`${name} must be at least ${minLength} printable ASCII characters without spaces`);
  }
  return value;
}

function postgresUrl(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name] || undefined;
  const protocol = value && URL.canParse(value) ? new URL(value).protocol : undefined;
  const isComplete = value && URL.canParse(value) && isDecodable(value) && /^\w+:\/\/.+/.test(value);
  if (value && !(isComplete && (protocol === 'postgres:' || protocol === 'postgresql:'))) {
    throw new ConfigError(`${name} must be a URL like postgres://user:password@host:5432/database`);
  }
  return value;
}

function redisUrl(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name] || undefined;
  const form = /^rediss?:\/\/([^\s/?#@]*@)?[^\s/?#@]+(\/\d{1,5})?$/;
  if (value && !(form.test(value) && URL.canParse(value) && isDecodable(value))) {
    throw new ConfigError(`${name} must be a URL like redis://user:password@host:6379/0 or rediss://host:6379`);
  }
  return value;
}

function networks(env: NodeJS.ProcessEnv, name: string): string[] {
  const entries = (env[name] ?? '').split(',').flatMap((entry) => entry.trim() || []);
  for (const entry of entries) {
    const [address, length, ...more] = entry.split('/');
    const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)]!;
    const isLength = length === undefined || (/^[1-9]\d{0,2}$/.test(length) && Number(length) <= bits);
    if (bits === 0 || address.includes('%') || !isLength || more.length > 0) {
      throw new ConfigError(
        `${name} must be addresses or CIDRs such as 10.0.0.0/8, separated by commas, not "${entry}"`,
      );
    }
  }
  return entries;
}

function mailSettings(env: NodeJS.ProcessEnv): MailSettings | undefined {
  const smtpUrl = env.SMTP_URL || undefined;
  const form = /^smtps?:\/\/([^\s/?#@]+@)?[^\s/?#@]+\/?$/;
  if (smtpUrl && !(form.test(smtpUrl) && URL.canParse(smtpUrl) && isDecodable(smtpUrl))) {
    throw new ConfigError('SMTP_URL must be a URL like smtp://user:password@mail.example:587 or smtps://mail.example');
  }
  const from = senderIn(env.MAIL_FROM ?? '');
  if (env.MAIL_FROM && !from) {
    throw new ConfigError(
      'MAIL_FROM must be an e-mail address such as flows@acme.example or Acme <flows@acme.example>',
    );
  }
  if (smtpUrl && !from) throw new ConfigError('MAIL_FROM must be set to an e-mail address, because SMTP_URL is set');
  return smtpUrl && from ? { smtpUrl, from } : undefined;
}

/** An address, or a name and an address: `Name <a@b.example>`. The name may be in quotation marks. */
function senderIn(text: string): MailSettings['from'] | undefined {
  const parts = /^(?:(?:"([^"\\]*)"|([^"<>]*))\s*<([^<>]+)>|([^<>]+))$/.exec(text) ?? [];
  const [, quoted, plain = '', bracketed, alone = ''] = parts;
  const name = (quoted ?? plain).trim();
  const address = bracketed ?? alone;
  // A header field has no control characters (RFC 5322).
  const isSender = isEmail(address, { allow_utf8_local_part: false }) && !/\p{Cc}/u.test(name);
  return isSender ? { name, address } : undefined;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
