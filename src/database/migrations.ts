import { Initial1796000000000 } from '../../migrations/1796000000000-initial';

/** Every migration, oldest first. */
export const migrations = [Initial1796000000000];
