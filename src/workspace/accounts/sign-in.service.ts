import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { PasswordCheckService } from './passwords/password-check.service.js';
import type { Client } from './sessions/client.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInQueueService } from './sign-in-queue.service.js';
import { UsersRepository } from './users.repository.js';

@Injectable()
export class SignInService {
  constructor(
    private readonly database: DatabaseService,
    private readonly passwords: PasswordCheckService,
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly queue: SignInQueueService,
  ) {}

  /**
   * Takes a normalised address and password; returns the session token.
   * @throws ApiError 401 for an unknown address or a wrong password; 429; 503
   */
  signIn(email: string, password: string, client: Client): Promise<string> {
    return this.queue.run(async () => {
      const { userId, freshHash } = await this.passwords.check(email, password, client);
      return this.database.transaction(async (tx) => {
        if (freshHash !== null) await this.users.update(userId, { passwordHash: freshHash }, tx);
        return this.sessions.start(tx, userId, 'password', client);
      });
    });
  }
}
