import { ConfigError } from '../settings/config';
import type { Command } from './command';
import { demoData } from './demo-data';
import { migrateSchema } from './migrate';
import { rotateKey } from './rotate-encryption-key';
import { printSetupLink } from './setup-link';

const COMMANDS = new Map<string, Command>([
  ['migrate', { options: [], run: migrateSchema }],
  ['setup-link', { options: [], run: printSetupLink }],
  ['demo-data', { options: ['--remove'], run: demoData }],
  ['rotate-encryption-key', { options: [], run: rotateKey }],
]);

/** The command with a name. Throws a ConfigError for what is none, and for an option that it does not take. */
export function commandNamed(name: string, options: string[]): Command {
  const command = COMMANDS.get(name);
  if (!command) throw new ConfigError(`There is no command "${name}", only ${[...COMMANDS.keys()].join(', ')}`);
  const refused = options.find((option) => !command.options.includes(option));
  if (refused !== undefined) throw new ConfigError(`${name} does not take "${refused}"`);
  return command;
}
