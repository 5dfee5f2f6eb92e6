import { Injectable } from '@nestjs/common';
import { SignInPolicy } from '../../platform/auth/sign-in-policy.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/api-error.js';
import { LicenceService } from '../licence/licence.service.js';
import { OrganizationWritesService } from './organization-writes.service.js';
import { OrganizationAccessRepository } from './organization-access.repository.js';

/** Where organizations require their identity provider, passwords are refused. */
@Injectable()
export class OrganizationSignInService extends SignInPolicy {
  constructor(
    private readonly repository: OrganizationAccessRepository,
    private readonly licence: LicenceService,
    private readonly writes: OrganizationWritesService,
  ) {
    super();
  }

  get offersSso(): boolean {
    return this.licence.feature('sso');
  }

  async refusesPassword(email: string, tx?: Transaction): Promise<boolean> {
    return this.offersSso && (await this.repository.requiresSso(email, tx));
  }

  async assertMayLeave(tx: Transaction, userId: string): Promise<void> {
    // Another owner may be leaving too.
    for (const orgId of await this.repository.ownedBy(tx, userId)) await this.writes.lock(tx, orgId);
    const names = await this.repository.onlyOwnerOf(tx, userId);
    if (names.length === 0) return;
    throw new ApiError(
      'impossible',
      `You are the only owner of organizations: ${names.map((name) => JSON.stringify(name)).join(', ')}. Make somebody else an owner, or delete them.`,
      { reason: 'last_owner' },
    );
  }
}
