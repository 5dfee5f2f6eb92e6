import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../platform/http/api-error.js';
import { clientNetwork } from '../../../platform/http/client-network.js';
import { RateLimiter } from '../../../platform/rate-limits/rate-limiter.js';
import { failedSignInsOfAddress, failedSignInsOfNetwork } from '../account-limits.js';
import type { Client } from '../sessions/client.js';
import { UsersRepository } from '../users.repository.js';
import { PasswordHasher } from './password-hasher.js';

export interface CheckedPassword {
  userId: string;
  /** Of the same password, where the stored hash is outdated; otherwise null. */
  freshHash: string | null;
}

/** Checks the passwords of people who sign in, and limits how often one can be guessed. */
@Injectable()
export class PasswordCheckService {
  constructor(
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
    private readonly limiter: RateLimiter,
  ) {}

  /** @throws ApiError 401, the same and after the same work for an unknown address and a wrong password; 429 */
  async check(email: string, password: string, client: Client): Promise<CheckedPassword> {
    // Counted before the check and taken back after it, so that guesses in parallel cannot slip through.
    const hits = await this.limiter.count(
      [failedSignInsOfAddress, email],
      [failedSignInsOfNetwork, clientNetwork(client.ip)],
    );
    const user = await this.users.findByEmail(email);
    const matches = await this.hasher.verify(user?.passwordHash ?? null, password);
    if (!user || !matches) throw new ApiError('unauthenticated', 'The address or the password is wrong.');
    await this.limiter.takeBack(hits);
    const isOutdated = user.passwordHash !== null && this.hasher.isOutdated(user.passwordHash);
    return { userId: user.id, freshHash: isOutdated ? await this.hasher.hash(password) : null };
  }
}
