import { Injectable } from '@nestjs/common';
import { OrganizationDepartures } from '../../../platform/auth/organization-departures.js';
import { MailsService } from '../../../platform/mail/mails.service.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import { MembershipsService } from '../../projects/memberships.service.js';
import { CodeChecksService } from '../two-factor/code-checks.service.js';
import { UsersRepository } from '../users.repository.js';

@Injectable()
export class AccountDeletionService {
  constructor(
    private readonly users: UsersRepository,
    private readonly memberships: MembershipsService,
    private readonly mails: MailsService,
    private readonly checks: CodeChecksService,
    private readonly organizations: OrganizationDepartures,
  ) {}

  /**
   * Deletes the account, its sessions, links and mails, and the projects and organizations without other members; in
   * others the user's membership ends. The caller has checked address and password.
   * @throws ApiError 401 `two_factor_required`, `two_factor_invalid`; 422 for the last admin of a project or owner of
   * an organization; 429
   */
  async delete(session: SessionPrincipal, code: string | null): Promise<void> {
    await this.checks.usingIfOn(session, code, async (tx, { id, email }) => {
      await this.organizations.leaveAll(tx, id);
      await this.memberships.leaveAll(tx, id, { type: 'user', identifier: email });
      await this.mails.forget(tx, id);
      // Also deletes its sessions, codes and links.
      await this.users.delete(tx, id);
    });
  }
}
