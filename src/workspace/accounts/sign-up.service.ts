import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { type NewAccount, NewAccountsService } from './new-accounts.service.js';
import type { Client } from './sessions/client.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInQueueService } from './sign-in-queue.service.js';
import { type FirstAccountProof, SignUpRulesService } from './sign-up-rules.service.js';

@Injectable()
export class SignUpService {
  constructor(
    private readonly database: DatabaseService,
    private readonly rules: SignUpRulesService,
    private readonly accounts: NewAccountsService,
    private readonly sessions: SessionsService,
    private readonly queue: SignInQueueService,
  ) {}

  /**
   * Returns the session token. @throws ApiError 403 when sign-up is closed or the first account lacks its proof, 409
   * when the address has an account, 429, 503
   */
  signUp(account: NewAccount, client: Client, proof: FirstAccountProof): Promise<string> {
    return this.queue.run(async () => {
      await this.rules.assertMayTry(proof, client);
      const prepared = await this.accounts.prepare(account);
      return this.database.transaction(
        async (tx) => {
          await this.rules.assertMaySignUp(tx, proof);
          const userId = await this.accounts.create(tx, prepared);
          return this.sessions.start(tx, userId, 'password', client);
        },
        { retryUniqueViolation: true },
      );
    });
  }
}
