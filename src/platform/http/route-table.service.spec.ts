import { RouteTableService } from './route-table.service.js';

const patterns = [
  ['GET', '/'],
  ['POST', '/v1/receipts'],
  ['GET', '/v1/subscribers/:app_user_id'],
  ['POST', '/v1/subscribers/identify'],
  ['POST', '/v1/subscribers/:app_user_id/attributes'],
  ['DELETE', '/v1/subscribers/:app_user_id'],
  ['GET', '/v1/receipts/amazon/:store_user_id/*receipt_id'],
  ['POST', '/auth/invites/:token/accept'],
] as const;

describe('the table of routes', () => {
  const table = new RouteTableService();
  for (const [method, pattern] of patterns) table.add({ method, pattern, isOpen: false });

  it.each([
    ['GET', '/', '/'],
    ['HEAD', '/v1/subscribers/a%2Fb', '/v1/subscribers/:app_user_id'],
    ['POST', '/V1/Receipts', '/v1/receipts'],
    ['POST', '/v1/subscribers/identify', '/v1/subscribers/identify'],
    ['GET', '/v1/subscribers/identify', '/v1/subscribers/:app_user_id'],
    ['POST', '/v1/subscribers/identify/attributes', '/v1/subscribers/:app_user_id/attributes'],
    ['GET', '/v1/receipts/amazon/user/a/b', '/v1/receipts/amazon/:store_user_id/*receipt_id'],
  ])('finds what answers %s %s', (method, path, pattern) => {
    expect(table.find(method, path)?.pattern).toBe(pattern);
  });

  it.each([
    ['GET', '/v1/nothing'],
    ['GET', '/v1/subscribers//attributes'],
    ['GET', '/v1/receipts/amazon/user'],
    ['GET', '/v1/receipts/amazon/user/'],
    ['POST', '/v1/receipts/'],
    ['POST', '/v1//receipts'],
    ['DELETE', '/v1/subscribers/a/'],
    ['GET', '//'],
    ['GET', '*'],
  ])('finds nothing that answers %s %s', (method, path) => {
    expect(table.find(method, path)).toBeUndefined();
    expect(table.patternOf(method, path)).toBeUndefined();
    expect(table.methodsOf(path)).toEqual([]);
  });

  it('knows the pattern of a path that does not answer the method, and which ones it answers', () => {
    expect(table.patternOf('OPTIONS', '/v1/receipts')).toBe('/v1/receipts');
    expect(table.find('OPTIONS', '/v1/receipts')).toBeUndefined();
    expect(table.methodsOf('/v1/subscribers/customer')).toEqual(['DELETE', 'GET']);
  });

  it.each([
    ['/v1/receipts', '/v1/receipts', undefined],
    ['/v1/subscribers/a%2Fb/attributes', '/v1/subscribers/<a/b>/attributes', 'a/b'],
    ['/v1/subscribers/%ZZ', '/v1/subscribers/<%ZZ>', '%ZZ'],
    ['/v1/subscribers/identify', '/v1/subscribers/identify', undefined],
    ['/v1/subscribers/ada/new_call', '/v1/subscribers/<ada>/new_call', 'ada'],
    ['/v1/subscribers/ada/Grace', '/v1/subscribers/<ada>/…', 'ada'],
    ['/auth/invites/secret', '/auth/invites/…', undefined],
    ['/auth/invites/secret/accept', '/auth/invites/…/accept', undefined],
    ['/v1/nothing/ada', '/v1/nothing/…', undefined],
    ['/v1/receipts/amazon/user/a/b', '/v1/receipts/amazon/<user>/a/…', undefined],
    ['*', '/', undefined],
  ])('shows %s as %s in the log', (path, shown, appUserId) => {
    expect(table.shownPath(path, (id) => `<${id}>`)).toEqual({ path: shown, appUserId });
  });
});
