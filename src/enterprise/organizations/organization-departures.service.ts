import { Injectable } from '@nestjs/common';
import { OrganizationDepartures } from '../../platform/auth/editions/organization-departures.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { OrganizationWritesService } from '../access/organization-writes.service.js';
import { MembersRepository } from './members.repository.js';
import { OrganizationProjectsService } from './organization-projects.service.js';
import { OrganizationsRepository } from './organizations.repository.js';

/** Removes a person from their organizations before the account is deleted. */
@Injectable()
export class OrganizationDeparturesService extends OrganizationDepartures {
  constructor(
    private readonly members: MembersRepository,
    private readonly organizations: OrganizationsRepository,
    private readonly projects: OrganizationProjectsService,
    private readonly writes: OrganizationWritesService,
  ) {
    super();
  }

  async leaveAll(tx: Transaction, userId: string): Promise<void> {
    const emptied: string[] = [];
    const stranded: string[] = [];
    for (const orgId of await this.members.ownedBy(tx, userId)) {
      // Another owner may be leaving at the same time.
      await this.writes.lock(tx, orgId);
      if (await this.members.hasOtherOwner(tx, orgId, userId)) continue;
      if (!(await this.members.hasOthers(tx, orgId, userId))) emptied.push(orgId);
      else stranded.push(JSON.stringify(await this.members.nameOf(tx, orgId)));
    }
    if (stranded.length > 0) throw lastOwner(stranded);
    for (const orgId of emptied) {
      await this.projects.moveAllOut(tx, orgId);
      await this.organizations.delete(tx, orgId);
    }
  }
}

function lastOwner(names: string[]): ApiError {
  return new ApiError(
    'impossible',
    `You are the only owner of organizations that have other members: ${names.join(', ')}. Make another member an owner, or delete the organizations.`,
    { reason: 'last_owner' },
  );
}
