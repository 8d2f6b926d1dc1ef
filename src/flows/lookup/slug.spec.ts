import { createSlug } from './slug';

describe('createSlug', () => {
  it.each([
    ['Leaving Acme Pro', 'leaving-acme-pro'],
    ['  Größe & Weiß  ', 'grosse-weiss'],
    ['Отмена подписки', 'otmena-podpiski'],
    ['解約', 'jieyue'],
    ['!!!', 'flow'],
    [`${'x'.repeat(53)} yz`, 'x'.repeat(53)],
    ['x'.repeat(200), 'x'.repeat(54)],
  ])('makes of %j the slug %s-…', (name, stem) => {
    expect(createSlug(name).slice(0, -9)).toBe(stem);
    expect(createSlug(name)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*-[a-z0-9]{8}$/);
  });
});
