import { Injectable } from '@nestjs/common';
import { OrganizationDepartures } from '../../../platform/auth/editions/organization-departures.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { MailsService } from '../../../platform/mail/mails.service.js';
import type { SessionPrincipal } from '../../../platform/principal/principal.js';
import { MembershipsService } from '../../projects/memberships.service.js';
import { AccountsService } from '../accounts.service.js';
import { PasswordCheckService } from '../passwords/password-check.service.js';
import type { Client } from '../sessions/client.js';
import { TwoFactorCodesService } from '../two-factor/two-factor-codes.service.js';
import { UsersRepository } from '../users.repository.js';

/** Proof that the user owns the account. One without a password needs only its address. */
export interface OwnershipProof {
  email: string;
  password: string | null;
  code: string | null;
}

@Injectable()
export class AccountDeletionService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly users: UsersRepository,
    private readonly passwords: PasswordCheckService,
    private readonly codes: TwoFactorCodesService,
    private readonly memberships: MembershipsService,
    private readonly organizations: OrganizationDepartures,
    private readonly mails: MailsService,
  ) {}

  /**
   * Deletes the account, its sessions, links and mails, and the projects and organizations without other members; in
   * others the user's membership ends.
   * @throws ApiError 400 for another address or a wrong password; 401 `two_factor_required`, `two_factor_invalid`; 422
   * for the last admin of a project or owner of an organization; 429; 503
   */
  async delete(session: SessionPrincipal, proof: OwnershipProof, client: Client): Promise<void> {
    await this.assertOwner(session.userId, proof, client);
    await this.codes.withCodeIfOn(session, proof.code, async (tx, { id, email }) => {
      await this.organizations.leaveAll(tx, id);
      await this.memberships.leaveAll(tx, id, { type: 'user', identifier: email });
      await this.mails.forget(tx, id);
      // Also deletes its sessions, codes and links.
      await this.users.delete(tx, id);
    });
  }

  private async assertOwner(
    userId: string,
    { email, password }: OwnershipProof,
    client: Client,
  ): Promise<void> {
    const user = await this.accounts.get(userId);
    if (email !== user.email) throw ApiError.parameter('email', 'email is not the address of your account.');
    if (user.passwordHash === null) return;
    if (password === null) throw ApiError.parameter('password', 'password is required.');
    await this.passwords.reauthenticate(userId, { password }, client);
  }
}
