import { Age } from './age';

describe('An age', () => {
  let time: number;
  let age: Age;

  beforeEach(() => {
    time = 0;
    age = new Age();
    jest.spyOn(performance, 'now').mockImplementation(() => time);
  });
  afterEach(() => jest.restoreAllMocks());

  const find = (...ages: number[]) =>
    age.look(
      () => Promise.resolve(ages),
      (found) => found,
    );
  const fail = () =>
    age
      .look(
        () => Promise.reject(new Error('no table')),
        () => [],
      )
      .catch(() => {});

  it('is that of the oldest, and grows until the next look', async () => {
    await find(3, 7, 5);
    expect(age.seconds).toBe(7);
    time = 2000;
    expect(age.seconds).toBe(9);
    await find();
    expect(age.seconds).toBe(0);
    time = 60_000;
    expect(age.seconds).toBe(0);
  });

  it('grows while nothing can be read, from the first look that did not succeed', async () => {
    await find();
    time = 10_000;
    await fail();
    time = 20_000;
    await fail();
    time = 25_000;
    expect(age.seconds).toBe(15);
    await find(1);
    expect(age.seconds).toBe(1);
  });

  it('grows while a look takes long', () => {
    void age.look(
      () => new Promise<number[]>(() => {}),
      (found) => found,
    );
    time = 12_000;
    expect(age.seconds).toBe(12);
  });
});
