import { isIP } from 'node:net';

/** A setting that the service cannot run with. The message is one line that names the variable. */
export class ConfigError extends Error {}

/** The largest value of a Postgres `integer`. */
export const INT4_MAX = 2_147_483_647;

export function integer(env: NodeJS.ProcessEnv, name: string, fallback: number, min: number, max: number): number {
  const text = env[name] || String(fallback);
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max)) {
    throw new ConfigError(`${name} must be an integer from ${min} to ${max}, not "${text}"`);
  }
  return value;
}

export function oneOf(env: NodeJS.ProcessEnv, name: string, fallback: string, values: string[]): string {
  const value = env[name] || fallback;
  if (!values.includes(value)) throw new ConfigError(`${name} must be one of ${values.join(', ')}, not "${value}"`);
  return value;
}

export function boolean(env: NodeJS.ProcessEnv, name: string, fallback: boolean): boolean {
  return oneOf(env, name, String(fallback), ['true', 'false']) === 'true';
}

export function secret(env: NodeJS.ProcessEnv, name: string, minLength: number): string | undefined {
  const value = env[name] || undefined;
  if (value && (value.length < minLength || !/^[\x21-\x7e]+$/.test(value))) {
    throw new ConfigError(`${name} must be at least ${minLength} printable ASCII characters without spaces`);
  }
  return value;
}

/** A key of 256 bits, as `openssl rand -base64 32` writes it. */
export function key(env: NodeJS.ProcessEnv, name: string): Buffer | undefined {
  const value = env[name] || undefined;
  if (value === undefined) return undefined;
  if (!/^[A-Za-z0-9+/]{43}=$/.test(value)) {
    throw new ConfigError(`${name} must be 32 bytes in base64, as "openssl rand -base64 32" writes them`);
  }
  return Buffer.from(value, 'base64');
}

/** @param form of a complete URL, without what the service would ignore */
export function url(env: NodeJS.ProcessEnv, name: string, form: RegExp, example: string): string | undefined {
  const value = env[name] || undefined;
  if (value && !(form.test(value) && isUrl(value))) {
    throw new ConfigError(`${name} must be a URL like ${example}`);
  }
  return value;
}

export function networks(env: NodeJS.ProcessEnv, name: string): string[] {
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

/** Whether a text is a URL whose parts can be decoded. */
function isUrl(text: string): boolean {
  try {
    return decodeURIComponent(new URL(text).href) !== '';
  } catch {
    return false;
  }
}
