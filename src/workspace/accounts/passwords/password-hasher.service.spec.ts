import { hash } from '@node-rs/argon2';
import { DUMMY_HASH, PasswordHasherService } from './password-hasher.service.js';

describe('the password hasher', () => {
  const hasher = new PasswordHasherService();

  it('makes argon2id hashes with a salt of their own, 19 MiB, two passes and one thread', async () => {
    const [first, second] = await Promise.all([hasher.hash('password'), hasher.hash('password')]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).not.toBe(second);
    expect(await hasher.verify(first, 'password')).toBe(true);
    expect(await hasher.verify(first, 'Password')).toBe(false);
    expect(hasher.isOutdated(first)).toBe(false);
  });

  it('never lets people without a password in, after the work of a current hash', async () => {
    for (const password of ['', 'password', DUMMY_HASH])
      expect(await hasher.verify(null, password)).toBe(false);
    expect(hasher.isOutdated(DUMMY_HASH)).toBe(false);
  });

  it('finds hashes that were made with other parameters, which still verify', async () => {
    const old = await hash('password', { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    expect(hasher.isOutdated(old)).toBe(true);
    expect(await hasher.verify(old, 'password')).toBe(true);
  });
});
