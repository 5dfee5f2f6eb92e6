import { hash } from '@node-rs/argon2';
import { PasswordHasher } from './password-hasher.js';

describe('the password hasher', () => {
  const hasher = new PasswordHasher();

  it('makes argon2id hashes with a salt of their own, 19 MiB, two passes and one thread', async () => {
    const [first, second] = await Promise.all([hasher.hash('password'), hasher.hash('password')]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).not.toBe(second);
    expect(await hasher.verify(first, 'password')).toBe(true);
    expect(await hasher.verify(first, 'Password')).toBe(false);
    expect(hasher.isOutdated(first)).toBe(false);
  });

  it('does the same work for people without a password, and never lets them in', async () => {
    const stored = await hasher.hash('password');
    const timed = async (candidate: string | null) => {
      const startedAt = performance.now();
      expect(await hasher.verify(candidate, 'another password')).toBe(false);
      return performance.now() - startedAt;
    };
    const fastest = async (candidate: string | null) =>
      Math.min(await timed(candidate), await timed(candidate), await timed(candidate));
    expect(await fastest(null)).toBeGreaterThan((await fastest(stored)) / 2);
  });

  it('finds hashes that were made with other parameters, which still verify', async () => {
    const old = await hash('password', { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    expect(hasher.isOutdated(old)).toBe(true);
    expect(await hasher.verify(old, 'password')).toBe(true);
  });
});
