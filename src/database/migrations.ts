import { Initial1796000000000 } from '../../migrations/1796000000000-initial';
import { LinksEnd1796200000000 } from '../../migrations/1796200000000-links-end';
import { ProvenAddresses1796200000001 } from '../../migrations/1796200000001-proven-addresses';
import { SessionEnds1796300000000 } from '../../migrations/1796300000000-session-ends';
import { IndexesOfEnds1796300000001 } from '../../migrations/1796300000001-indexes-of-ends';

/** Every migration, oldest first. */
export const migrations = [
  Initial1796000000000,
  LinksEnd1796200000000,
  ProvenAddresses1796200000001,
  SessionEnds1796300000000,
  IndexesOfEnds1796300000001,
];
