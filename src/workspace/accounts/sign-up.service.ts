import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { Database, type Executor, type Transaction } from '../../platform/database/database.js';
import { ApiError } from '../../platform/http/api-error.js';
import { ProjectsService } from '../projects/projects.service.js';
import { RateLimiter } from '../../platform/rate-limits/rate-limiter.js';
import type { Client } from './sessions/client.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { signUpsOfNetwork } from './rate-limits/account-limits.js';
import { clientNetwork } from '../../platform/http/client-network.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SetupToken } from './setup-token.js';
import { SignInQueue } from './sign-in-queue.js';
import { UsersRepository } from './users.repository.js';

/** Who can create an account: anybody, whoever comes first, or nobody. */
export type SignupState = 'open' | 'first_account' | 'closed';

export interface NewAccount {
  /** Normalised. */
  email: string;
  /** Normalised and of allowed length. */
  password: string;
  name: string | null;
  projectName: string;
}

/** What lets somebody create the first account of a server; either will do. */
export interface FirstAccountProof {
  isFromOwnMachine: boolean;
  setupToken: string | null;
}

@Injectable()
export class SignUpService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersRepository,
    private readonly projects: ProjectsService,
    private readonly sessions: SessionsService,
    private readonly hasher: PasswordHasher,
    private readonly limiter: RateLimiter,
    private readonly setupToken: SetupToken,
    private readonly queue: SignInQueue,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async state(executor: Executor = this.database): Promise<SignupState> {
    if (this.config.allowSignup) return 'open';
    return (await this.users.any(executor)) ? 'closed' : 'first_account';
  }

  /**
   * Creates an account with its first project and signs it in.
   * @returns the session token.
   * @throws ApiError 403 when sign-up is closed or the first account lacks its proof, 409 when the address has an account,
   *   429, 503.
   */
  signUp(account: NewAccount, client: Client, proof: FirstAccountProof): Promise<string> {
    return this.queue.run(() => this.signUpNow(account, client, proof));
  }

  private async signUpNow(account: NewAccount, client: Client, proof: FirstAccountProof): Promise<string> {
    await this.assertMaySignUp(this.database, proof);
    await this.limiter.count([signUpsOfNetwork, clientNetwork(client.ip)]);
    await this.assertFree(this.database, account.email);
    const passwordHash = await this.hasher.hash(account.password);
    return this.database.transaction(
      async (tx) => {
        // Two first accounts at the same time: the second one waits here, and then is not the first.
        if (!this.config.allowSignup) await this.users.lockFirstAccount(tx);
        await this.assertMaySignUp(tx, proof);
        const userId = await this.create(tx, account, passwordHash);
        return this.sessions.start(tx, userId, 'password', client);
      },
      { retryUniqueViolation: true },
    );
  }

  /**
   * Creates an account with its first project for whoever runs the server, also where sign-up is closed.
   * @throws ApiError 409 when the address has an account
   */
  async createOwner(account: NewAccount): Promise<void> {
    const passwordHash = await this.hasher.hash(account.password);
    await this.database.transaction(
      async (tx) => {
        await this.users.lockFirstAccount(tx);
        await this.create(tx, account, passwordHash);
      },
      { retryUniqueViolation: true },
    );
  }

  private async assertMaySignUp(executor: Executor, proof: FirstAccountProof): Promise<void> {
    const state = await this.state(executor);
    if (state === 'open') return;
    const accountType = 'signup_closed';
    if (state === 'closed')
      throw new ApiError('forbidden', 'Sign-up is closed on this server.', { accountType });
    if (proof.isFromOwnMachine || this.setupToken.matches(proof.setupToken)) return;
    const message = 'The first account needs the setup token that the server prints at start (setup_token).';
    throw new ApiError('forbidden', message, { accountType, reason: 'setup_token_required' });
  }

  private async assertFree(executor: Executor, email: string): Promise<void> {
    if (await this.users.findByEmail(executor, email)) {
      throw ApiError.alreadyExists('email', 'This address already has an account.');
    }
  }

  /** Gives the id of the account. */
  private async create(
    tx: Transaction,
    { email, name, projectName }: NewAccount,
    passwordHash: string,
  ): Promise<string> {
    await this.assertFree(tx, email);
    const nowMs = this.clock.nowMs();
    const userId = newId('user', nowMs);
    const isFirst = !(await this.users.any(tx));
    await this.users.insert(tx, {
      id: userId,
      email,
      name,
      passwordHash,
      // Whoever runs the server vouches for its people: addresses are not verified by mail.
      emailVerified: true,
      alertEmails: true,
      createdAt: new Date(nowMs),
    });
    const by = { actor: { type: 'user', identifier: email } as const, request: null };
    await this.projects.create(tx, { name: projectName, ownerUserId: userId, by });
    if (isFirst) await this.projects.adoptOrphans(tx, userId);
    return userId;
  }
}
