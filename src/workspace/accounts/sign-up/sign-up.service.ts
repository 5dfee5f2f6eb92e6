import { Injectable } from '@nestjs/common';
import { SignInPolicy } from '../../../platform/auth/editions/sign-in-policy.js';
import { Config } from '../../../platform/config/config.js';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { clientNetwork } from '../../../platform/http/pipeline/client-network.js';
import type { SessionMethod } from '../../../platform/principal/principal.js';
import { RateLimiterService } from '../../../platform/rate-limits/rate-limiter.service.js';
import { InviteLinksService, type OpenInvite } from '../../members/invites/invite-links.service.js';
import { signUpsOfNetwork } from '../account-limits.js';
import { AccountEmailService } from '../email/account-email.service.js';
import type { Client } from '../sessions/client.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { SignInQueueService } from '../sign-in/sign-in-queue.service.js';
import type { User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import {
  type NewAccount,
  NewAccountsService,
  type PreparedAccount,
  type CreatedAccount,
} from './new-accounts.service.js';
import { isSetupToken } from './setup-token.js';

export type SignupState = 'open' | 'first_account' | 'closed';

/** Proof that a caller may create the first account; either is enough. */
export interface FirstAccountProof {
  isFromOwnMachine: boolean;
  setupToken: string | null;
}

/** A kind of sign-up: its checks, and the objects it creates. */
interface SignUpKind {
  method: SessionMethod;
  /** Runs before the password is hashed. */
  assertMayTry(): Promise<void>;
  create(tx: Transaction, account: PreparedAccount): Promise<CreatedAccount>;
}

/** A session of a new account. */
export interface SignedUp {
  token: string;
  /** The project that the account starts in. */
  projectId: string;
}

function inviteRefused(accountType: string, message: string): ApiError {
  return new ApiError('parameter', message, { param: 'invite_token', accountType });
}

function inviteNotOpen(): ApiError {
  return inviteRefused('invite_invalid', 'The invite does not exist or is no longer open.');
}

@Injectable()
export class SignUpService {
  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersRepository,
    private readonly accounts: NewAccountsService,
    private readonly sessions: SessionsService,
    private readonly queue: SignInQueueService,
    private readonly email: AccountEmailService,
    private readonly invites: InviteLinksService,
    private readonly policy: SignInPolicy,
    private readonly limiter: RateLimiterService,
    private readonly config: Config,
  ) {}

  async state(tx?: Transaction): Promise<SignupState> {
    if (this.config.allowSignup) return 'open';
    return (await this.users.any(tx)) ? 'closed' : 'first_account';
  }

  /**
   * @throws ApiError 403 `sso_required`, or if sign-up is closed or the first account lacks its proof; 409 if the
   * address has an account; 429; 503
   */
  async signUp(account: NewAccount, client: Client, proof: FirstAccountProof): Promise<SignedUp> {
    await this.policy.assertPasswordAllowed(account.email);
    return this.complete(account, client, {
      method: 'password',
      assertMayTry: async () => {
        this.assertAllowed(await this.state(), proof);
        await this.countAttempt(client);
      },
      create: async (tx, prepared) => {
        // The second of two concurrent first accounts waits here, and is then refused because it is not the first.
        if (!this.config.allowSignup) await this.users.lockFirstAccount(tx);
        this.assertAllowed(await this.state(tx), proof);
        const created = await this.accounts.create(tx, prepared);
        await this.requireVerification(tx, { id: created.userId, email: prepared.email });
        return created;
      },
    });
  }

  /**
   * Signs up an invited user. Works even if sign-up is closed. The link in the mail
   * proves the address, so the account needs no verification.
   * @throws ApiError 400 for an invite that is not open or is for another address, 403 `sso_required`, 409 if the
   * address has an account, 429, 503
   */
  async signUpInvited(account: NewAccount, client: Client, inviteToken: string): Promise<SignedUp> {
    const invite = await this.findInvite(inviteToken, account.email);
    await this.policy.assertPasswordAllowed(account.email);
    return this.complete(account, client, {
      method: 'invite',
      assertMayTry: () => this.countAttempt(client),
      create: async (tx, prepared) => {
        const userId = await this.accounts.createWithoutProject(tx, prepared);
        if (!(await this.invites.accept(tx, invite, userId))) throw inviteNotOpen();
        return { userId, projectId: invite.projectId };
      },
    });
  }

  private complete(account: NewAccount, client: Client, kind: SignUpKind): Promise<SignedUp> {
    return this.queue.run(async () => {
      await kind.assertMayTry();
      const prepared = await this.accounts.prepare(account);
      return this.database.transaction(
        async (tx) => {
          const { userId, projectId } = await kind.create(tx, prepared);
          return { token: await this.sessions.start(tx, userId, kind.method, client), projectId };
        },
        { retryUniqueViolation: true },
      );
    });
  }

  private async countAttempt(client: Client): Promise<void> {
    await this.limiter.count([signUpsOfNetwork, clientNetwork(client.ip)]);
  }

  private assertAllowed(state: SignupState, proof: FirstAccountProof): void {
    if (state === 'open') return;
    const accountType = 'signup_closed';
    if (state === 'closed')
      throw new ApiError('forbidden', 'Sign-up is closed on this server.', { accountType });
    if (proof.isFromOwnMachine || isSetupToken(proof.setupToken, this.config)) return;
    const message = 'The first account needs the setup token that the server prints at start (setup_token).';
    throw new ApiError('forbidden', message, { accountType, reason: 'setup_token_required' });
  }

  /**
   * The hosted edition confirms the address of a new account with a link; elsewhere the operator vouches for
   * it.
   */
  private async requireVerification(tx: Transaction, user: Pick<User, 'id' | 'email'>): Promise<void> {
    if (this.config.edition !== 'cloud') return;
    await this.users.update(user.id, { emailVerified: false }, tx);
    await this.email.requestVerification(tx, user);
  }

  private async findInvite(token: string, email: string): Promise<OpenInvite> {
    const invite = await this.invites.find(token);
    if (!invite) throw inviteNotOpen();
    if (invite.email !== email) {
      throw inviteRefused('invite_email_mismatch', 'The invite is for another email address.');
    }
    return invite;
  }
}
