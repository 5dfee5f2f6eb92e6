import { MAX_EXTERNAL_TOKEN } from '../../../libs/stores/index.js';
import { appleTokenContent, firstBytes, opaqueContent } from './external-token-content.js';

const settings = { bundle_id: 'com.example.app', app_apple_id: '6443000000' };
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = (more: object = {}): string =>
  encoded({
    appAppleId: 6443000000,
    bundleId: 'com.example.app',
    tokenCreationDate: 1_000,
    externalPurchaseId: 'id-1',
    ...more,
  });

describe('contents of external purchase tokens', () => {
  it('reads the id, dates and environment of an own token', () => {
    expect(appleTokenContent(token(), 'LINK_OUT', settings)).toEqual({
      kind: 'LINK_OUT',
      environment: 'production',
      externalPurchaseId: 'id-1',
      tokenCreatedAt: new Date(1_000),
      tokenExpiresAt: null,
      state: 'open',
    });
    const custom = { externalPurchaseId: 'SANDBOX_1', tokenType: 'SERVICES', tokenExpirationDate: 2_000 };
    expect(appleTokenContent(token(custom), 'LINK_OUT', settings)).toMatchObject({
      kind: 'SERVICES',
      environment: 'sandbox',
      tokenExpiresAt: new Date(2_000),
    });
  });

  it('treats tokens of another bundle id or app id as foreign, without an id', () => {
    for (const other of [{ bundleId: 'com.example.other' }, { appAppleId: 1 }]) {
      expect(appleTokenContent(token(other), null, settings)).toMatchObject({
        state: 'foreign',
        externalPurchaseId: null,
      });
    }
  });

  it('compares only the bundle id while the app has no Apple ID', () => {
    const { bundle_id } = settings;
    expect(appleTokenContent(token({ appAppleId: 1 }), null, { bundle_id }).state).toBe('open');
  });

  it('treats tokens that cannot be decoded, or are too long, as unreadable', () => {
    for (const text of ['x', encoded([]), encoded({}), token({ more: 'z'.repeat(9_000) })]) {
      expect(appleTokenContent(text, 'IN_APP', settings)).toEqual(opaqueContent('IN_APP', 'unreadable'));
    }
  });

  it('cuts long tokens at a complete character', () => {
    expect(firstBytes('short')).toBe('short');
    const cut = firstBytes('€'.repeat(MAX_EXTERNAL_TOKEN));
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(MAX_EXTERNAL_TOKEN);
    expect(cut).toMatch(/^€+$/);
  });
});
