import { Injectable } from '@nestjs/common';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/api-error.js';
import { MembershipsService } from '../projects/memberships.service.js';
import { ProjectsService } from '../projects/projects.service.js';
import { TwoFactorStateService } from './two-factor/two-factor-state.service.js';
import type { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

/** What operators of the server do for people who cannot help themselves. */
@Injectable()
export class OperatorService {
  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersRepository,
    private readonly memberships: MembershipsService,
    private readonly projects: ProjectsService,
    private readonly twoFactor: TwoFactorStateService,
  ) {}

  /** Adds to the audit log of each of the person's projects. @throws ApiError 404 */
  disableTwoFactor(email: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      const { id } = await this.found(tx, email);
      await this.twoFactor.turnOff(tx, id);
      await this.projects.auditMember(tx, id, 'two_factor_disabled');
    });
  }

  /** Projects have no owner beside their admins. @throws ApiError 404 */
  makeOwner(email: string, projectId: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      const { id } = await this.found(tx, email);
      await this.memberships.makeAdmin(tx, projectId, id);
    });
  }

  private async found(tx: Transaction, email: string): Promise<User> {
    const user = await this.users.findByEmail(email, tx);
    const locked = user && (await this.users.lock(tx, user.id));
    if (!locked) throw new ApiError('missing', 'This email address has no account.');
    return locked;
  }
}
