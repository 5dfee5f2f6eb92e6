import { Injectable } from '@nestjs/common';
import { SignInPolicy } from '../../../platform/auth/sign-in-policy.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { AccountLinksService } from '../links/account-links.service.js';
import type { LinkProblem } from '../links/link.policy.js';
import type { Client } from '../sessions/client.js';
import { type SignInStep, SignInStepsService } from '../two-factor/sign-in-steps.service.js';
import { NewPasswordsService } from './new-passwords.service.js';

@Injectable()
export class PasswordResetLinksService {
  constructor(
    private readonly database: DatabaseService,
    private readonly links: AccountLinksService,
    private readonly newPasswords: NewPasswordsService,
    private readonly steps: SignInStepsService,
    private readonly policy: SignInPolicy,
  ) {}

  /** Returns null if the link works; does not use it up. */
  problemOf(token: string): Promise<LinkProblem | null> {
    return this.links.problemOf(token, 'reset_password');
  }

  /** `password` is normalised and acceptable. @throws ApiError 400 `token_invalid`, 403 `sso_required`, 503 */
  async reset(token: string, password: string, client: Client): Promise<SignInStep> {
    // Checked first, so that guessed tokens cost no hash.
    await this.links.assertOpen(token, 'reset_password');
    const passwordHash = await this.newPasswords.hash(password);
    return this.database.transaction(async (tx) => {
      const { user } = await this.links.use(tx, token, 'reset_password');
      await this.policy.assertPasswordAllowed(user.email, tx);
      await this.newPasswords.replace(tx, user, { passwordHash, by: 'link' });
      return this.steps.afterFirstFactor(tx, user, 'reset', client);
    });
  }
}
