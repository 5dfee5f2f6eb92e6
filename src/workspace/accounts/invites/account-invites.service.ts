import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { InviteLinksService, type OpenInvite } from '../../members/invites/invite-links.service.js';
import { UsersRepository } from '../users.repository.js';

export interface ShownInvite {
  invite: OpenInvite;
  accountExists: boolean;
}

function notOpen(): ApiError {
  return new ApiError('missing', 'The invite does not exist or is no longer open.');
}

/** Invites as presented to their recipients. */
@Injectable()
export class AccountInvitesService {
  constructor(
    private readonly links: InviteLinksService,
    private readonly users: UsersRepository,
    private readonly database: DatabaseService,
  ) {}

  /** @throws ApiError 404 unless the link is valid */
  async get(token: string): Promise<ShownInvite> {
    const invite = await this.findOpen(token);
    return { invite, accountExists: (await this.users.findByEmail(invite.email)) !== null };
  }

  /**
   * Returns the project's id. The link proves that the user owns the address.
   * @throws ApiError 404 unless the link is valid, 403 for another address
   */
  async accept(token: string, userId: string): Promise<string> {
    const invite = await this.findOpen(token);
    await this.database.transaction(async (tx) => {
      const user = await this.users.lock(tx, userId);
      if (user?.email !== invite.email) {
        throw new ApiError('forbidden', 'The invite is for another email address than that of your account.');
      }
      if (!(await this.links.accept(tx, invite, userId))) throw notOpen();
      if (!user.emailVerified) await this.users.update(userId, { emailVerified: true }, tx);
    });
    return invite.projectId;
  }

  private async findOpen(token: string): Promise<OpenInvite> {
    const invite = await this.links.find(token);
    if (!invite) throw notOpen();
    return invite;
  }
}
