import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { PasswordCheckService, wrongCredentials } from '../passwords/password-check.service.js';
import type { Client } from '../sessions/client.js';
import { SignInQueueService } from './sign-in-queue.service.js';
import { type SignInStep, SignInStepsService } from '../two-factor/sign-in-steps.service.js';
import { UsersRepository } from '../users.repository.js';

@Injectable()
export class SignInService {
  constructor(
    private readonly database: DatabaseService,
    private readonly passwords: PasswordCheckService,
    private readonly users: UsersRepository,
    private readonly steps: SignInStepsService,
    private readonly queue: SignInQueueService,
  ) {}

  /**
   * Requires a normalised address and password.
   * @throws ApiError 401 for an unknown address or a wrong password; 429; 503
   */
  signIn(email: string, password: string, client: Client): Promise<SignInStep> {
    return this.queue.run(async () => {
      const step =
        (await this.attempt(email, password, client)) ?? (await this.attempt(email, password, client));
      if (!step) throw wrongCredentials();
      return step;
    });
  }

  /**
   * Returns null if the stored hash changed during the check: a session of the old password must not outlive the
   * change.
   */
  private async attempt(email: string, password: string, client: Client): Promise<SignInStep | null> {
    const { userId, storedHash, freshHash } = await this.passwords.check(email, password, client);
    return this.database.transaction(async (tx) => {
      const user = await this.users.lock(tx, userId);
      if (user?.passwordHash !== storedHash) return null;
      if (freshHash !== null) await this.users.update(userId, { passwordHash: freshHash }, tx);
      return this.steps.afterFirstFactor(tx, user, 'password', client);
    });
  }
}
