import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { ProjectsService } from '../../projects/projects.service.js';
import { PasswordHasherService } from '../passwords/password-hasher.service.js';
import { UsersRepository } from '../users.repository.js';

export interface NewAccount {
  /** Normalised. */
  email: string;
  /** Normalised and of allowed length. */
  password: string;
  name: string | null;
  projectName: string;
}

/** The password is already hashed, because hashing takes too long for a transaction. */
export type PreparedAccount = Omit<NewAccount, 'password'> & { passwordHash: string };

/** A new account, and the project that it starts in. */
export interface CreatedAccount {
  userId: string;
  projectId: string;
}

/** Creates accounts, each with its first project. */
@Injectable()
export class NewAccountsService {
  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersRepository,
    private readonly projects: ProjectsService,
    private readonly hasher: PasswordHasherService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Works even if sign-up is closed. @throws ApiError 409 if the address has an account */
  async createOwner(account: NewAccount): Promise<void> {
    const prepared = await this.prepare(account);
    await this.database.transaction(
      async (tx) => {
        await this.users.lockFirstAccount(tx);
        await this.create(tx, prepared);
      },
      { retryUniqueViolation: true },
    );
  }

  /** @throws ApiError 409 if the address has an account */
  async prepare({ password, ...account }: NewAccount): Promise<PreparedAccount> {
    await this.assertFree(account.email);
    return { ...account, passwordHash: await this.hasher.hash(password) };
  }

  /** @throws ApiError 409 if the address has an account */
  async create(tx: Transaction, account: PreparedAccount): Promise<CreatedAccount> {
    const { email, projectName } = account;
    const isFirst = !(await this.users.any(tx));
    const userId = await this.createWithoutProject(tx, account);
    const by = { actor: { type: 'user', identifier: email } as const, request: null };
    const { id: projectId } = await this.projects.create(tx, { name: projectName, ownerUserId: userId, by });
    if (isFirst) await this.projects.adoptOrphans(tx, userId);
    return { userId, projectId };
  }

  /**
   * Creates an account for a user who joins a project. Returns the account's id. @throws ApiError 409 as for `create`
   */
  async createWithoutProject(
    tx: Transaction,
    { email, name, passwordHash }: PreparedAccount,
  ): Promise<string> {
    await this.assertFree(email, tx);
    const nowMs = this.clock.nowMs();
    const userId = newId('user', nowMs);
    await this.users.insert(tx, {
      id: userId,
      email,
      name,
      passwordHash,
      // The operator controls sign-up, so addresses are not verified by mail.
      emailVerified: true,
      alertEmails: true,
      createdAt: new Date(nowMs),
    });
    return userId;
  }

  private async assertFree(email: string, tx?: Transaction): Promise<void> {
    if (await this.users.findByEmail(email, tx)) {
      throw ApiError.alreadyExists('email', 'This address already has an account.');
    }
  }
}
