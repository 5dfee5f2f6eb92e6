import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { placeByCreation, startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { noOrganization } from '../access/organization-errors.js';
import { OrganizationWritesService } from '../access/organization-writes.service.js';
import type { OrganizationWrite } from '../access/organization-write.js';
import { LicenceService } from '../licence/licence.service.js';
import { MembersRepository } from './members.repository.js';
import type { CreateOrganizationDto } from './organization.dto.js';
import {
  type OrganizationCounts,
  OrganizationsRepository,
  type SeenOrganization,
} from './organizations.repository.js';
import { RegionsService } from './regions.service.js';

@Injectable()
export class OrganizationsService {
  constructor(
    private readonly repository: OrganizationsRepository,
    private readonly members: MembersRepository,
    private readonly writes: OrganizationWritesService,
    private readonly licence: LicenceService,
    private readonly regions: RegionsService,
  ) {}

  /** The person becomes the owner. @throws ApiError 400, 403 if the licence permits no more organizations */
  create(
    by: Omit<OrganizationWrite, 'orgId'>,
    userId: string,
    { name, region = this.regions.own }: CreateOrganizationDto,
  ): Promise<SeenOrganization> {
    this.regions.assertSelectable(region);
    // The id is generated outside, because the transaction may run again.
    const orgId = newId('organization', this.writes.nowMs());
    return this.writes.run({ ...by, orgId }, async (tx) => {
      await this.assertRoom(tx);
      const createdAt = new Date(tx.nowMs());
      const none = { auditRetentionDays: null, ssoEnforced: false, seats: null, billingEmail: null };
      await this.repository.insert(tx, { id: orgId, name, region, ...none, createdAt, updatedAt: createdAt });
      await this.members.insert(tx, { orgId, userId, role: 'owner', source: 'manual', createdAt });
      await tx.audit({
        action: 'organization_created',
        target: 'organization',
        targetId: orgId,
        data: { name, region },
      });
      return this.found(orgId, userId, tx);
    });
  }

  /**
   * Returns up to `limit + 1` organizations.
   * @throws ApiError 400 if `page.after` is not one of the person's organizations
   */
  async page(userId: string, page: PageRequest): Promise<SeenOrganization[]> {
    const after = await startOf(page.after, ['time'], async (id) => {
      const found = await this.repository.find(id, userId);
      return found && placeByCreation(found);
    });
    return this.repository.page(userId, page, after);
  }

  /** @throws ApiError 404 */
  get(orgId: string, userId: string): Promise<SeenOrganization> {
    return this.found(orgId, userId);
  }

  counts(orgId: string): Promise<OrganizationCounts> {
    return this.repository.counts(orgId);
  }

  /** @throws ApiError 403 */
  private async assertRoom(tx: Transaction): Promise<void> {
    const { maxOrganizations } = this.licence.status;
    if (maxOrganizations === null) return;
    if ((await this.repository.countAlone(tx)) < maxOrganizations) return;
    throw new ApiError('forbidden', `The licence allows ${maxOrganizations} organizations on this server.`);
  }

  private async found(orgId: string, userId: string, tx?: Transaction): Promise<SeenOrganization> {
    const organization = await this.repository.find(orgId, userId, tx);
    if (!organization) throw noOrganization(orgId);
    return organization;
  }
}
