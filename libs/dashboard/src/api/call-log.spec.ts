import fc from 'fast-check';
import { callLog, masked, shownBody, shownPath } from './call-log.js';

describe('the call log', () => {
  beforeEach(() => callLog.clear());

  it.each([
    'password',
    'new_password',
    'current_password',
    'secret',
    'signing_secret',
    'shared_secret',
    'setup_token',
    'invite_token',
    'private_key',
    'subscription_private_key',
    'service_account_key',
    'p8_file',
    'code',
    'key',
    'api_key',
    'authorization',
    'client_secret',
    'recovery_code',
  ])('masks %s at any depth', (name) => {
    fc.assert(
      fc.property(fc.string({ minLength: 10, maxLength: 20 }), (secret) => {
        const marked = `<${secret}>`;
        const body = JSON.stringify({ a: [{ [name]: marked }], [name]: { deep: marked } });
        expect(shownBody(body)).not.toContain(JSON.stringify(marked).slice(1, -1));
      }),
    );
  });

  it.each(['lookup_key', 'product_id', 'email', 'name', 'currency_code', 'store_identifier'])(
    'shows %s',
    (name) => {
      expect(masked({ [name]: 'pro' })).toEqual({ [name]: 'pro' });
    },
  );

  it('cuts long bodies, and shows none that is not JSON', () => {
    expect(shownBody(JSON.stringify({ name: 'x'.repeat(20_000) })).length).toBeLessThan(8200);
    expect(shownBody('password=1')).toBe('•••');
  });

  it('shows no token of a path', () => {
    expect(shownPath('/auth/invites/{token}', '/auth/invites/abc')).toBe('/auth/invites/{token}');
    expect(shownPath('/v2/projects/{project_id}', '/v2/projects/p1')).toBe('/v2/projects/p1');
  });

  it('keeps the last 50, newest first, and tells listeners', () => {
    let calls = 0;
    const stop = callLog.subscribe(() => calls++);
    for (let n = 1; n <= 60; n++) {
      callLog.finish(
        callLog.add({ method: 'GET', template: '/a', path: `/a?n=${n}`, body: null }),
        200,
        'req_1',
      );
    }
    stop();
    callLog.clear();
    expect(calls).toBe(120);
    for (let n = 1; n <= 60; n++)
      callLog.add({ method: 'GET', template: '/a', path: `/a?n=${n}`, body: null });
    expect(callLog.current()).toHaveLength(50);
    expect(callLog.current()[0]?.path).toBe('/a?n=60');
  });
});
