import type { WorkspaceStats } from '@retention-flow/client';
import { numbersByOffer } from './offer-numbers';

it('An offer has the numbers of all flows that show it', () => {
  const offer = (id: string, presented: number, accepted: number) => ({ id, presented, accepted });
  const flows = [{ offers: [offer('a', 10, 4), offer('b', 1, 0)] }, { offers: [offer('a', 5, 1)] }];
  expect([...numbersByOffer(flows as WorkspaceStats['flows'])]).toEqual([
    ['a', { presented: 15, accepted: 5 }],
    ['b', { presented: 1, accepted: 0 }],
  ]);
});
