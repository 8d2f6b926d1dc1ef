import { Initial1795000000000 } from '../../migrations/1795000000000-initial';
import { Steps1795100000000 } from '../../migrations/1795100000000-steps';
import { Records1795200000000 } from '../../migrations/1795200000000-records';
import { Statuses1795300000000 } from '../../migrations/1795300000000-statuses';

/** Every migration, oldest first. */
export const migrations = [Initial1795000000000, Steps1795100000000, Records1795200000000, Statuses1795300000000];
