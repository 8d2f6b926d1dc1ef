import { metadataOf, refuseDoubled, rowsOf } from './metadata';

describe('Metadata', () => {
  it('is what its rows say, without the empty ones', () => {
    const metadata = { coupon: 'stay-30', days: '' };
    expect(metadataOf([...rowsOf(metadata), { name: '', value: '' }])).toEqual(metadata);
  });

  it('keeps a value without a name, so that the service can say what is wrong', () =>
    expect(metadataOf([{ name: '', value: 'stay-30' }])).toEqual({ '': 'stay-30' }));

  it('loses no value to another of the same name', () => {
    const rows = [
      { name: 'coupon', value: 'a' },
      { name: 'coupon', value: 'b' },
    ];
    expect(() => refuseDoubled(rows)).toThrow('The metadata has the name "coupon" twice.');
    expect(() => refuseDoubled(rows.map(({ value }) => ({ name: '', value })))).not.toThrow();
  });
});
