import { readFileSync } from 'node:fs';
import { domainToASCII } from 'node:url';
import { isEmail, isFQDN } from 'class-validator';
import { boolean, ConfigError, INT4_MAX, integer, key, networks, oneOf, secret, url } from './readers';

export { ConfigError };

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Settings that are or contain a secret. `NAME_FILE` names a file to read one from, instead of `NAME`. */
const SECRETS = [
  'DATABASE_URL',
  'ADMIN_API_KEY',
  'SMTP_URL',
  'REDIS_URL',
  'OIDC_CLIENT_SECRET',
  'ENCRYPTION_KEY',
  'PREVIOUS_ENCRYPTION_KEY',
];

const POSTGRES_URL = /^postgres(ql)?:\/\/.+/i;
const REDIS_URL = /^rediss?:\/\/([^\s/?#@]*@)?[^\s/?#@]+(\/\d{1,5})?$/;
/** Over plain http only on this machine. */
const ISSUER = /^(https:\/\/[^\s?#@]+|http:\/\/(localhost|127\.0\.0\.1)(:\d+)?(\/[^\s?#@]*)?)$/;
const OTLP_URL = /^https?:\/\/[^\s?#]+$/;
const PUBLIC_URL = /^https?:\/\/[^\s?#@]+$/;
const STRIPE_API_URL = /^https?:\/\/[^\s/?#@]+\/?$/;
const SMTP_URL = /^smtps?:\/\/([^\s/?#@]+@)?[^\s/?#@]+\/?$/;

/** An OpenID provider, and what its claims say of roles. */
export interface OpenIdSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What is asked for, separated by spaces. */
  scopes: string;
  /** Whether an address counts as verified if the provider says nothing about it. */
  trustEmail: boolean;
  /** The claim with the groups of a person, or the path to it, such as `realm_access.roles`. */
  rolesClaim?: string;
  /** The role of each group in the first workspace, as `groupRolesIn` reads it; '' for none. */
  roles: string;
  /** Whether roles follow the groups at each sign-in. */
  syncsRoles: boolean;
}

/** The server that takes mails, and their sender. */
export interface MailSettings {
  smtpUrl: string;
  from: { name: string; address: string };
}

/** All settings, validated. Throws a ConfigError for the first invalid value. An empty variable counts as not set. */
function settingsIn(env: NodeJS.ProcessEnv) {
  const sendNothing = boolean(env, 'SEND_NOTHING', false);
  const maxDeliveriesInFlight = integer(env, 'MAX_DELIVERIES_IN_FLIGHT', 800, 0, 10_000);
  return {
    host: env.HOST || '127.0.0.1',
    port: integer(env, 'PORT', 3000, 0, 65_535),
    /** Where health, metrics and the operator's routes are; 0: at `port`, with everything else. */
    operationPort: integer(env, 'OPERATION_PORT', 0, 0, 65_535),
    /** The address of the service as people know it, for links; undefined: as the request says. */
    publicUrl: url(env, 'PUBLIC_URL', PUBLIC_URL, 'https://flows.acme.example')?.replace(/\/$/, ''),
    /** Connection URL of a PostgreSQL 15 or later; undefined: the embedded one. */
    databaseUrl: url(env, 'DATABASE_URL', POSTGRES_URL, 'postgres://user:password@host:5432/database'),
    /** Where the embedded Postgres keeps its files. */
    dataDir: env.DATA_DIR || '.data',
    /** Whether spans are sent; where to, OpenTelemetry reads itself. */
    isTraced: url(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', OTLP_URL, 'http://127.0.0.1:4318') !== undefined,
    /**
     * The most connections of this process to Postgres. With a single one, one slow statement would block everything.
     */
    databasePoolSize: integer(env, 'DATABASE_POOL_SIZE', 10, 2, 1000),
    /** The operator's key; undefined: the operator API is off. */
    adminApiKey: secret(env, 'ADMIN_API_KEY', 24),
    /** Sessions per month for a workspace created without a limit of its own. */
    defaultSessionLimit: integer(env, 'DEFAULT_SESSION_LIMIT', 1_000_000, 0, INT4_MAX),
    /** Requests to the runtime API, per client address (IPv6: per /64); 0: unlimited. */
    runtimeRequestsPerMinute: integer(env, 'RUNTIME_REQUESTS_PER_MINUTE', 600, 0, INT4_MAX),
    /** Requests to the management API, per key, and twice as many per workspace; 0: unlimited. */
    managementRequestsPerMinute: integer(env, 'MANAGEMENT_REQUESTS_PER_MINUTE', 1200, 0, INT4_MAX),
    /** Requests without a valid key, per client address; 0: unlimited. */
    failedAuthenticationsPerMinute: integer(env, 'FAILED_AUTHENTICATIONS_PER_MINUTE', 20, 0, INT4_MAX),
    /** Declarations on exit pages, per client address and hour, and 50 times as many per flow; 0: unlimited. */
    declarationsPerHour: integer(env, 'DECLARATIONS_PER_HOUR', 20, 0, 1_000_000),
    /** Months after which declarations are deleted. */
    declarationRetentionMonths: integer(env, 'DECLARATION_RETENTION_MONTHS', 36, 1, 1200),
    /** Archived ones included, because their rows are kept. */
    maxFlowsPerWorkspace: integer(env, 'MAX_FLOWS_PER_WORKSPACE', 10_000, 1, INT4_MAX),
    maxOffersPerWorkspace: integer(env, 'MAX_OFFERS_PER_WORKSPACE', 10_000, 1, INT4_MAX),
    maxVersionsPerFlow: integer(env, 'MAX_VERSIONS_PER_FLOW', 1000, 1, INT4_MAX),
    /** The most versions of all flows of a workspace. It bounds the bytes that a workspace can store. */
    maxVersionsPerWorkspace: integer(env, 'MAX_VERSIONS_PER_WORKSPACE', 20_000, 1, INT4_MAX),
    /** Addresses and CIDRs of proxies whose forwarded client addresses are trusted. */
    trustProxy: networks(env, 'TRUST_PROXY'),
    /** Whether this process does work in the background: sending, deleting what is old, adding up statistics. */
    backgroundJobs: boolean(env, 'BACKGROUND_JOBS', true),
    /** Webhooks that this process sends at a time, plus up to 5 mails; 0: it sends none. */
    maxDeliveriesInFlight: sendNothing ? 0 : maxDeliveriesInFlight,
    /** Whether nothing is sent, not even on request: for a copy that somebody looks at. */
    sendNothing,
    /** Days after which events are deleted, delivered or not. The attempts of a delivery take up to four days. */
    eventRetentionDays: integer(env, 'EVENT_RETENTION_DAYS', 30, 7, 3650),
    /** Addresses and CIDRs of private networks that webhooks may be in. */
    webhookAllowedNetworks: networks(env, 'WEBHOOK_ALLOWED_NETWORKS'),
    /** undefined: no mail is sent. */
    mail: mailSettings(env),
    /** The domains that receipts may be sent from, in ASCII; undefined: none but the sender of mails. */
    confirmationDomains: confirmationDomains(env),
    /** A Redis in which all processes count requests against the limits; undefined: each process counts its own. */
    redisUrl: url(env, 'REDIS_URL', REDIS_URL, 'redis://user:password@host:6379/0 or rediss://host:6379'),
    /** How many whole months sessions are kept, in addition to the current one; undefined: they are not deleted. */
    sessionRetentionMonths: env.SESSION_RETENTION_MONTHS
      ? integer(env, 'SESSION_RETENTION_MONTHS', 0, 1, 1200)
      : undefined,
    /**
     * The keys that the secrets of billing connections are stored with. The first one encrypts; without one, there are
     * no connections.
     */
    encryptionKeys: [key(env, 'ENCRYPTION_KEY'), key(env, 'PREVIOUS_ENCRYPTION_KEY')].flatMap((one) => one ?? []),
    /** Where Stripe's interface is. */
    stripeApiUrl: url(env, 'STRIPE_API_URL', STRIPE_API_URL, 'https://api.stripe.com') ?? 'https://api.stripe.com',
    /** Whether people sign in with e-mail and password. */
    passwords: passwords(env),
    /** undefined: nobody signs in with OpenID Connect. */
    openId: openIdSettings(env),
    /** How many whole months the log of changes is kept, in addition to the current one; undefined: for good. */
    changesRetentionMonths: env.CHANGES_RETENTION_MONTHS
      ? integer(env, 'CHANGES_RETENTION_MONTHS', 0, 1, 1200)
      : undefined,
    logLevel: oneOf(env, 'LOG_LEVEL', 'info', LOG_LEVELS),
  };
}

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- `fromEnv` sets all of them
export interface Config extends Readonly<ReturnType<typeof settingsIn>> {}

/** All settings. Only `fromEnv` reads the environment. */
export class Config {
  private constructor() {}

  static fromEnv(env: NodeJS.ProcessEnv): Config {
    return Object.assign(new Config(), settingsIn(withSecrets(env)));
  }

  /** Whether customers get receipts by mail. */
  get sendsMails(): boolean {
    return this.mail !== undefined && !this.sendNothing;
  }

  /** Whether a workspace may have its receipts sent from an address: the mail server sends for the whole service. */
  allowsSender(address: string): boolean {
    if (this.confirmationDomains) return this.confirmationDomains.includes(domainOf(address));
    return !this.mail || address.toLowerCase() === this.mail.from.address.toLowerCase();
  }

  /** This configuration with another database: the embedded one, once it runs. */
  onDatabase(databaseUrl: string): Config {
    return Object.assign(new Config(), this, { databaseUrl });
  }
}

/** The environment, with the secrets that are in files. */
function withSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inFiles = SECRETS.filter((name) => env[`${name}_FILE`]);
  const secrets = Object.fromEntries(inFiles.map((name) => [name, secretIn(env, name)]));
  return Object.create(env, Object.getOwnPropertyDescriptors(secrets)) as NodeJS.ProcessEnv;
}

function secretIn(env: NodeJS.ProcessEnv, name: string): string {
  const variable = `${name}_FILE`;
  if (env[name]) throw new ConfigError(`${variable} and ${name} are both set: leave one of them out`);
  try {
    const value = readFileSync(env[variable]!, 'utf8').replace(/[\r\n]+$/, '');
    // Not the same as no setting: without DATABASE_URL, the service would start a database of its own.
    if (value) return value;
  } catch (error) {
    throw new ConfigError(`${variable} can't be read: ${(error as Error).message}`);
  }
  throw new ConfigError(`${variable} names an empty file`);
}

function passwords(env: NodeJS.ProcessEnv): boolean {
  const isOn = oneOf(env, 'PASSWORDS', 'on', ['on', 'off']) === 'on';
  if (!isOn && !env.OIDC_ISSUER)
    throw new ConfigError('PASSWORDS must be on without OIDC_ISSUER: nobody could sign in');
  return isOn;
}

function openIdSettings(env: NodeJS.ProcessEnv): OpenIdSettings | undefined {
  const { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_ROLES_CLAIM: rolesClaim } = env;
  const issuer = url(env, 'OIDC_ISSUER', ISSUER, 'https://login.acme.example');
  const roles = (env.OIDC_ROLES ?? '').trim();
  const trustEmail = boolean(env, 'OIDC_TRUST_EMAIL', false);
  if ((roles !== '') !== !!rolesClaim) throw new ConfigError('OIDC_ROLES_CLAIM must be set together with OIDC_ROLES');
  const syncsRoles = boolean(env, 'OIDC_ROLES_SYNC', false);
  if (syncsRoles && roles === '') throw new ConfigError('OIDC_ROLES must be set, because OIDC_ROLES_SYNC is true');
  if (!issuer) return undefined;
  if (!clientId) throw new ConfigError('OIDC_CLIENT_ID must be set, because OIDC_ISSUER is set');
  if (!clientSecret) throw new ConfigError('OIDC_CLIENT_SECRET must be set, because OIDC_ISSUER is set');
  const scopes = env.OIDC_SCOPES || 'openid email profile';
  if (!scopes.split(' ').includes('openid'))
    throw new ConfigError(`OIDC_SCOPES must have openid in it, as in "openid email profile groups", not "${scopes}"`);
  return { issuer, clientId, clientSecret, scopes, trustEmail, rolesClaim: rolesClaim || undefined, roles, syncsRoles };
}

function mailSettings(env: NodeJS.ProcessEnv): MailSettings | undefined {
  const smtpUrl = url(env, 'SMTP_URL', SMTP_URL, 'smtp://user:password@mail.example:587 or smtps://mail.example');
  const from = senderIn(env.MAIL_FROM ?? '');
  if (env.MAIL_FROM && !from) {
    throw new ConfigError(
      'MAIL_FROM must be an e-mail address such as flows@acme.example or Acme <flows@acme.example>',
    );
  }
  if (smtpUrl && !from) throw new ConfigError('MAIL_FROM must be set to an e-mail address, because SMTP_URL is set');
  return smtpUrl && from ? { smtpUrl, from } : undefined;
}

function confirmationDomains(env: NodeJS.ProcessEnv): string[] | undefined {
  const named = (env.CONFIRMATION_DOMAINS ?? '').split(',').flatMap((entry) => entry.trim() || []);
  const wrong = named.find((domain) => !isFQDN(domainToASCII(domain)));
  if (wrong !== undefined) {
    throw new ConfigError(
      `CONFIRMATION_DOMAINS must be domains such as acme.example, separated by commas, not "${wrong}"`,
    );
  }
  return named.length > 0 ? named.map(domainToASCII) : undefined;
}

function domainOf(address: string): string {
  return domainToASCII(address.slice(address.lastIndexOf('@') + 1));
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
