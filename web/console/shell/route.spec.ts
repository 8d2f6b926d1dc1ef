import { href, match, routeOf } from './route';

describe('The address of a page', () => {
  it.each([
    ['', '/', ''],
    ['#', '/', ''],
    ['#/flows', '/flows', ''],
    ['#/sessions?status=saved&customer_id=a%2Fb%3F', '/sessions', 'status=saved&customer_id=a%2Fb%3F'],
    ['#/sessions?a=b?c', '/sessions', 'a=b%3Fc'],
  ])('is read from "%s"', (hash, path, query) => {
    const route = routeOf(hash);
    expect([route.path, route.query.toString()]).toEqual([path, query]);
  });

  it('leaves out what is empty', () => {
    expect(href('/sessions', { status: 'saved', flow_id: '', from: undefined })).toBe('#/sessions?status=saved');
    expect(href('/sessions')).toBe('#/sessions');
  });

  it.each([
    ['/flows/:id', '/flows/1', { id: '1' }],
    ['/flows/:id/edit', '/flows/a%2Fb/edit', { id: 'a/b' }],
    ['/flows/:id', '/flows/%zz', { id: '%zz' }],
    ['/flows/:id', '/flows', undefined],
    ['/flows/:id', '/flows/1/edit', undefined],
    ['/', '/', {}],
  ])('fits %s or not: %s', (pattern, path, parameters) => expect(match(pattern, path)).toEqual(parameters));
});
