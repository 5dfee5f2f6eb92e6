import { hash } from '@node-rs/argon2';
import { RateLimiterService } from '../../../platform/rate-limits/rate-limiter.service.js';
import type { Client } from '../sessions/client.js';
import type { KnownDevicesRepository } from '../sessions/known-devices.repository.js';
import type { SignInQueueService } from '../sign-in/sign-in-queue.service.js';
import type { UsersRepository } from '../users.repository.js';
import { PasswordCheckService } from './password-check.service.js';
import { PasswordHasherService } from './password-hasher.service.js';

const client: Client = { ip: '192.0.2.1', userAgent: null, device: 'device' };
const clock = { nowMs: () => Date.UTC(2026, 0, 2) };

/** Counted guesses of one account, and the check whose `findByEmail` is given. */
function passwordChecks(findByEmail: UsersRepository['findByEmail']): {
  checks: PasswordCheckService;
  guesses: () => number;
} {
  let counted = 0;
  const limits = {
    count: () => Promise.resolve({ allowed: true, count: ++counted, resetsAt: null }),
    uncount: () => Promise.resolve(void counted--),
  };
  const checks = new PasswordCheckService(
    { findByEmail } as UsersRepository,
    new PasswordHasherService(),
    new RateLimiterService(limits as never, clock),
    { run: (work: () => unknown) => work() } as unknown as SignInQueueService,
    { ownerOf: () => Promise.resolve(null) } as unknown as KnownDevicesRepository,
    clock,
  );
  return { checks, guesses: () => counted };
}

describe('the password check', () => {
  const user = async (): Promise<never> =>
    ({ id: 'user', email: 'ann@example.com', passwordHash: await hash('correct horse') }) as never;
  const check = (checks: PasswordCheckService, password: string) =>
    checks.check('ann@example.com', password, client);

  it('counts a wrong password against the address and the network', async () => {
    const { checks, guesses } = passwordChecks(user);
    await expect(check(checks, 'wrong horse')).rejects.toMatchObject({ status: 401 });
    expect(guesses()).toBe(2);
  });

  it('returns the guess after a correct password', async () => {
    const { checks, guesses } = passwordChecks(user);
    await expect(check(checks, 'correct horse')).resolves.toMatchObject({ userId: 'user' });
    expect(guesses()).toBe(0);
  });

  it('returns the guess when the check itself fails', async () => {
    const { checks, guesses } = passwordChecks(() => Promise.reject(new Error('connection lost')));
    await expect(check(checks, 'correct horse')).rejects.toThrow('connection lost');
    expect(guesses()).toBe(0);
  });
});
