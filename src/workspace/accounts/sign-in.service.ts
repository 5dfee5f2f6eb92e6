import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { ApiError } from '../../platform/http/api-error.js';
import { RateLimiter } from '../../platform/rate-limits/rate-limiter.js';
import type { Client } from './sessions/client.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { failedSignInsOfAddress, failedSignInsOfNetwork } from './rate-limits/account-limits.js';
import { clientNetwork } from '../../platform/http/client-network.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInQueue } from './sign-in-queue.js';
import { UsersRepository } from './users.repository.js';

@Injectable()
export class SignInService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly hasher: PasswordHasher,
    private readonly limiter: RateLimiter,
    private readonly queue: SignInQueue,
  ) {}

  /**
   * Signs a person in by address and password (both normalised).
   * @returns the session token.
   * @throws ApiError 401, the same and after the same work for an unknown address and a wrong password; 429; 503.
   */
  signIn(email: string, password: string, client: Client): Promise<string> {
    return this.queue.run(() => this.signInNow(email, password, client));
  }

  private async signInNow(email: string, password: string, client: Client): Promise<string> {
    // Counted before the check and taken back after it, so that guesses in parallel cannot slip through.
    const hits = await this.limiter.count(
      [failedSignInsOfAddress, email],
      [failedSignInsOfNetwork, clientNetwork(client.ip)],
    );
    const user = await this.users.findByEmail(this.database, email);
    const matches = await this.hasher.verify(user?.passwordHash ?? null, password);
    if (!user || !matches) throw new ApiError('unauthenticated', 'The address or the password is wrong.');
    await this.limiter.takeBack(hits);
    const freshHash =
      user.passwordHash !== null && this.hasher.isOutdated(user.passwordHash)
        ? await this.hasher.hash(password)
        : null;
    return this.database.transaction(async (tx) => {
      if (freshHash !== null) await this.users.update(tx, user.id, { passwordHash: freshHash });
      return this.sessions.start(tx, user.id, 'password', client);
    });
  }
}
