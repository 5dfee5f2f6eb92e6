import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { clientNetwork } from '../../../platform/http/pipeline/client-network.js';
import { RateLimiterService } from '../../../platform/rate-limits/rate-limiter.service.js';
import { signUpsOfNetwork } from '../account-limits.js';
import type { Client } from '../sessions/client.js';
import { EmailVerificationService } from '../email/email-verification.service.js';
import { SetupTokenService } from './setup-token.service.js';
import type { User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';

export type SignupState = 'open' | 'first_account' | 'closed';

/** Proof that a caller may create the first account; either is enough. */
export interface FirstAccountProof {
  isFromOwnMachine: boolean;
  setupToken: string | null;
}

@Injectable()
export class SignUpRulesService {
  constructor(
    private readonly users: UsersRepository,
    private readonly limiter: RateLimiterService,
    private readonly setupToken: SetupTokenService,
    private readonly verification: EmailVerificationService,
    private readonly config: Config,
  ) {}

  async state(tx?: Transaction): Promise<SignupState> {
    if (this.config.allowSignup) return 'open';
    return (await this.users.any(tx)) ? 'closed' : 'first_account';
  }

  /** @throws ApiError 403 if sign-up is closed or the first account lacks its proof; 429 */
  async assertMayTry(proof: FirstAccountProof, client: Client): Promise<void> {
    this.assertAllowed(await this.state(), proof);
    await this.countAttempt(client);
  }

  /** @throws ApiError 429 */
  async countAttempt(client: Client): Promise<void> {
    await this.limiter.count([signUpsOfNetwork, clientNetwork(client.ip)]);
  }

  /**
   * Makes the final decision. Of two concurrent first accounts, the second waits here and is then refused because it is
   * not the first.
   * @throws ApiError 403
   */
  async assertMaySignUp(tx: Transaction, proof: FirstAccountProof): Promise<void> {
    if (!this.config.allowSignup) await this.users.lockFirstAccount(tx);
    this.assertAllowed(await this.state(tx), proof);
  }

  /**
   * On the hosted edition the address of a new account is confirmed by a link; elsewhere the operator vouches for it.
   */
  async requireConfirmation(tx: Transaction, user: Pick<User, 'id' | 'email'>): Promise<void> {
    if (this.config.edition !== 'cloud') return;
    await this.users.update(user.id, { emailVerified: false }, tx);
    await this.verification.mailAfterCommit(tx, user);
  }

  private assertAllowed(state: SignupState, proof: FirstAccountProof): void {
    if (state === 'open') return;
    const accountType = 'signup_closed';
    if (state === 'closed')
      throw new ApiError('forbidden', 'Sign-up is closed on this server.', { accountType });
    if (proof.isFromOwnMachine || this.setupToken.matches(proof.setupToken)) return;
    const message = 'The first account needs the setup token that the server prints at start (setup_token).';
    throw new ApiError('forbidden', message, { accountType, reason: 'setup_token_required' });
  }
}
