import { Injectable } from '@nestjs/common';
import { SignInPolicy } from '../../platform/auth/editions/sign-in-policy.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { LicenceService } from '../licence/licence.service.js';
import { OrganizationAccessRepository } from './organization-access.repository.js';

/** Rejects passwords where an organization requires its identity provider. */
@Injectable()
export class OrganizationSignInService extends SignInPolicy {
  constructor(
    private readonly repository: OrganizationAccessRepository,
    private readonly licence: LicenceService,
  ) {
    super();
  }

  get offersSso(): boolean {
    return this.licence.feature('sso');
  }

  async requiringOrganization(email: string, tx?: Transaction): Promise<string | null> {
    return this.offersSso ? this.repository.requiringOrganization(email, tx) : null;
  }
}
