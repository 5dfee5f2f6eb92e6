import { Injectable } from '@nestjs/common';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { MembershipsService } from '../projects/memberships.service.js';
import { ProjectsService } from '../projects/projects.service.js';
import { TwoFactorService } from './two-factor/two-factor.service.js';
import type { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

/** Account recovery by the server's operators. */
@Injectable()
export class OperatorService {
  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersRepository,
    private readonly memberships: MembershipsService,
    private readonly projects: ProjectsService,
    private readonly twoFactor: TwoFactorService,
  ) {}

  /** Adds a row to the audit log of each of the user's projects. @throws ApiError 404 */
  disableTwoFactor(email: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      const { id } = await this.lockByEmail(tx, email);
      await this.twoFactor.turnOff(tx, id);
      await this.projects.auditMember(tx, id, 'two_factor_disabled');
    });
  }

  /** Makes the account a project admin, which is the highest role. @throws ApiError 404 */
  makeOwner(email: string, projectId: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      const { id } = await this.lockByEmail(tx, email);
      await this.memberships.makeAdmin(tx, projectId, id);
    });
  }

  private async lockByEmail(tx: Transaction, email: string): Promise<User> {
    const user = await this.users.findByEmail(email, tx);
    const locked = user && (await this.users.lock(tx, user.id));
    if (!locked) throw new ApiError('missing', 'This email address has no account.');
    return locked;
  }
}
