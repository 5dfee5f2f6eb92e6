import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/api-error.js';
import { ProjectsService } from '../projects/projects.service.js';
import { PasswordHasherService } from './passwords/password-hasher.service.js';
import { SessionsService } from './sessions/sessions.service.js';
import { UsersRepository } from './users.repository.js';

@Injectable()
export class PasswordResetService {
  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly projects: ProjectsService,
    private readonly hasher: PasswordHasherService,
  ) {}

  /**
   * Ends every session of the account and adds to the audit log of each of its projects; returns how many ended.
   * `password` is normalised and of allowed length. @throws ApiError 404 when the address has no account
   */
  async reset(email: string, password: string): Promise<number> {
    const passwordHash = await this.hasher.hash(password);
    return this.database.transaction(async (tx) => {
      const user = await this.users.findByEmail(email, tx);
      if (!user) throw new ApiError('missing', 'This e-mail address has no account.');
      await this.users.update(user.id, { passwordHash }, tx);
      await this.projects.auditMember(tx, user.id, 'password_reset');
      return this.sessions.endAll(tx, user.id);
    });
  }
}
