import { reasonsOf } from './reasons';

it('A reason of several flows is one, with the label that most customers chose and all of its sessions', () => {
  const reason = (option: string, label: string, sessions: number) => ({
    node_key: 'why',
    option,
    label,
    sessions,
    saved: 0,
    value: null,
  });
  const flows = [
    { reasons: [reason('price', 'Costs too much', 3), reason('bugs', 'Too many bugs', 6)] },
    { reasons: [reason('price', 'Too expensive', 5)] },
  ];
  expect(reasonsOf(flows)).toEqual([
    { option: 'price', label: 'Too expensive', sessions: 8 },
    { option: 'bugs', label: 'Too many bugs', sessions: 6 },
  ]);
});
