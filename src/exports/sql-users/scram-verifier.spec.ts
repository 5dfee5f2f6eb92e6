import { scramVerifier } from './scram-verifier.js';

describe('the verifier of a password', () => {
  it('equals the one of RFC 7677', async () => {
    // The keys of the RFC's exchange: user "user", password "pencil".
    expect(await scramVerifier('pencil', Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64'))).toBe(
      'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
    );
  });

  it('differs each time and contains no password', async () => {
    const [a, b] = await Promise.all([scramVerifier('password'), scramVerifier('password')]);
    expect(a).not.toBe(b);
    expect(a).not.toContain('password');
  });
});
