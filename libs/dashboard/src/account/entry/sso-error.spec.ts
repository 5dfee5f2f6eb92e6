import { ssoErrorText } from './sso-error.js';

describe('the reason of a failed single sign-on', () => {
  it('uses a sentence of the list, and never what an address says', () => {
    const unknown = ssoErrorText('Call +1 555 0100 to unlock your account');
    expect(unknown).toBe('Single sign-on did not work. Try again, or ask the admin of your organization.');
    expect(ssoErrorText('The address is not on a verified domain of this organization.')).toBe(
      'Your email address is not on a verified domain of this organization.',
    );
    expect([ssoErrorText('signature'), ssoErrorText('constructor'), ssoErrorText('')]).toEqual([
      unknown,
      unknown,
      unknown,
    ]);
    expect(ssoErrorText(undefined)).toBeNull();
  });
});
