import type { Children } from './children';
import type { Options } from './options';
import type { Postgres } from './postgres';

/** What a suite works with. */
export interface Stage {
  options: Options;
  children: Children;
  postgres: Postgres;
  /** For its files; removed at the end. */
  folder: string;
  /** Is told, a line at a time, how far it is. */
  notify: (line: string) => void;
}

/** A series of measurements: answers its report, in Markdown. */
export type Suite = (stage: Stage) => Promise<string>;
