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

describe('a slash at the end', () => {
  const table = new RouteTableService();
  const list = (pattern: string) => table.add({ method: 'GET', pattern, isOpen: false, isList: true });
  const route = (method: string, pattern: string) => table.add({ method, pattern, isOpen: false });
  list('/v2/projects');
  list('/v2/projects/:project_id/apps');
  route('POST', '/v2/projects/:project_id/apps');
  route('DELETE', '/v2/projects/:project_id/apps/:app_id');
  list('/v2/projects/:project_id/blocked_customers');
  route('POST', '/v2/projects/:project_id/blocked_customers');
  route('GET', '/v2/projects/:project_id/blocked_customers/:app_user_id');
  list('/v2/projects/:project_id/auth/identities');
  route('GET', '/v2/projects/:project_id/auth/identities/:provider_id/:subject');
  route('GET', '/v2/projects/:project_id/metrics/overview');
  list('/v2/projects/:project_id/customers');
  route('GET', '/scim/v2/Users');
  route('POST', '/scim/v2/Users/.search');
  route('GET', '/scim/v2/Users/:id');
  route('GET', '/v1/customers');
  route('POST', '/mcp');
  route('ALL', '/mcp');
  route('GET', '/.well-known/oauth-protected-resource/mcp');
  route('GET', '/.well-known/oauth-authorization-server');
  route('GET', '/.well-known/jwks.json');

  it.each([
    ['GET', '/v2/projects/', '/v2/projects'],
    ['HEAD', '/v2/projects/p/apps/', '/v2/projects/p/apps'],
    ['POST', '/v2/projects/p/apps/', '/v2/projects/p/apps'],
    ['POST', '/v2/projects/p/blocked_customers/', '/v2/projects/p/blocked_customers'],
    ['GET', '/scim/v2/Users/', '/scim/v2/Users'],
    ['POST', '/scim/v2/Users/.search/', '/scim/v2/Users/.search'],
    ['POST', '/mcp/', '/mcp'],
    ['DELETE', '/MCP/', '/MCP'],
    ['GET', '/.well-known/oauth-authorization-server/', '/.well-known/oauth-authorization-server'],
    ['GET', '/.well-known/oauth-protected-resource/mcp/', '/.well-known/oauth-protected-resource/mcp'],
  ])('ignores it for %s %s', (method, path, rest) => {
    expect(table.withoutSlash(method, path)).toBe(rest);
  });

  it.each([
    ['GET', '/'],
    ['GET', '/v2/projects'],
    ['GET', '/v2/projects//'],
    ['GET', '/v2//projects/'],
    ['GET', '/v2/projects/%2e/apps/'],
    ['DELETE', '/v2/projects/p/apps/'],
    ['GET', '/v2/projects/p/apps/a/'],
    ['GET', '/v2/projects/p/blocked_customers/'],
    ['GET', '/v2/projects/p/auth/identities/'],
    ['GET', '/v2/projects/p/metrics/overview/'],
    ['GET', '/v2/projects/p/customers/'],
    ['GET', '/scim/v2/Users/a/'],
    ['GET', '/scim/v2/Users/.search/'],
    ['GET', '/v1/customers/'],
    ['POST', '/mcp//'],
    ['POST', '/mcp/./'],
    ['DELETE', '/scim/v2/Users/'],
    ['POST', '/.well-known/oauth-protected-resource/mcp/'],
    ['GET', '/.well-known/jwks.json/'],
    ['GET', '/.well-known/oauth-authorization-server//'],
  ])('keeps it for %s %s', (method, path) => {
    expect(table.withoutSlash(method, path)).toBeNull();
  });
});

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
