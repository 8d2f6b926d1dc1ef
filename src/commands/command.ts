import type { Output } from '../platform/http/log/output';
import type { Notify } from '../platform/http/log/request-log';
import type { Config } from '../settings/config';

/** What the program does in place of a service, beside one that runs: `node dist/src/main.js name`. */
export interface Command {
  /** The options that it takes. */
  options: string[];
  /** Throws a ConfigError for settings that it can't work with. */
  run(given: Given): Promise<void>;
}

/** What a command is started with. */
export interface Given {
  config: Config;
  env: NodeJS.ProcessEnv;
  options: string[];
  /** Prints a message for whoever started it. */
  print: Notify;
  /** The log. */
  output: Output;
}
