import { Injectable } from '@nestjs/common';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import type { SessionMethod } from '../../../platform/principal/principal.js';
import { type NewAccount, NewAccountsService, type PreparedAccount } from './new-accounts.service.js';
import type { Client } from '../sessions/client.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { SignInQueueService } from '../sign-in/sign-in-queue.service.js';
import { type FirstAccountProof, SignUpRulesService } from './sign-up-rules.service.js';

/** A kind of sign-up: its checks, and the objects it creates. */
export interface SignUpKind {
  method: SessionMethod;
  /** Runs before the password is hashed. */
  assertMayTry(): Promise<void>;
  /** Returns the account's id. */
  create(tx: Transaction, account: PreparedAccount): Promise<string>;
}

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
   * Returns the session token.
   * @throws ApiError 403 if sign-up is closed or the first account lacks its proof, 409 if the address has an account,
   * 429, 503
   */
  signUp(account: NewAccount, client: Client, proof: FirstAccountProof): Promise<string> {
    return this.complete(account, client, {
      method: 'password',
      assertMayTry: () => this.rules.assertMayTry(proof, client),
      create: async (tx, prepared) => {
        await this.rules.assertMaySignUp(tx, proof);
        const userId = await this.accounts.create(tx, prepared);
        await this.rules.requireConfirmation(tx, { id: userId, email: prepared.email });
        return userId;
      },
    });
  }

  /** Returns the session token. @throws ApiError 409 if the address has an account, 503, and whatever `kind` throws */
  complete(account: NewAccount, client: Client, kind: SignUpKind): Promise<string> {
    return this.queue.run(async () => {
      await kind.assertMayTry();
      const prepared = await this.accounts.prepare(account);
      return this.database.transaction(
        async (tx) => this.sessions.start(tx, await kind.create(tx, prepared), kind.method, client),
        { retryUniqueViolation: true },
      );
    });
  }
}
