import { Initial1795000000000 } from '../../migrations/1795000000000-initial';

/** Every migration, oldest first. */
export const migrations = [Initial1795000000000];
