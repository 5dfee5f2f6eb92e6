import { Injectable } from '@nestjs/common';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { isEmail, normalizeEmail } from '../../platform/http/bodies/email.js';
import { changesBetween } from '../access/organization-changes.js';
import type { OrganizationContext } from '../access/organization-context.js';
import { noOrganization } from '../access/organization-errors.js';
import type { OrganizationWrite } from '../access/organization-write.js';
import {
  type OrganizationTransaction,
  OrganizationWritesService,
} from '../access/organization-writes.service.js';
import type { UpdateOrganizationDto } from './organization.dto.js';
import { namedSettings, recordedSettings, settingsAfter } from './organization-update.policy.js';
import { OrganizationsRepository, type SeenOrganization } from './organizations.repository.js';
import { RegionsService } from './regions.service.js';

/** Changes to the organization itself. */
@Injectable()
export class OrganizationChangesService {
  constructor(
    private readonly repository: OrganizationsRepository,
    private readonly writes: OrganizationWritesService,
    private readonly regions: RegionsService,
  ) {}

  /** @throws ApiError 400, 404, 422 if single sign-on cannot be required yet */
  async update(
    write: OrganizationWrite,
    { userId }: OrganizationContext,
    body: UpdateOrganizationDto,
  ): Promise<SeenOrganization> {
    if (body.region !== undefined) this.regions.assertSelectable(body.region);
    const { billing_email: billingEmail } = body;
    if (typeof billingEmail === 'string' && !isEmail(normalizeEmail(billingEmail)))
      throw ApiError.parameter('billing_email', 'billing_email must be an email address.');
    return this.writes.runAlone(write, async (tx) => {
      const present = await this.found(tx, userId);
      const after = settingsAfter(present, body);
      const changes = changesBetween(namedSettings(present), namedSettings(after), recordedSettings);
      if (Object.keys(changes).length === 0) return present;
      if (after.ssoEnforced && !present.ssoEnforced) await this.assertCanSignIn(tx);
      await this.repository.update(tx, { ...present, ...after, updatedAt: new Date(tx.nowMs()) });
      await tx.audit({
        action: 'organization_updated',
        target: 'organization',
        targetId: write.orgId,
        data: { changes },
      });
      return this.found(tx, userId);
    });
  }

  /** Deletes its audit log too, but no accounts. Returns the time (epoch ms). @throws ApiError 422 */
  delete(write: OrganizationWrite, { userId }: OrganizationContext): Promise<number> {
    return this.writes.runAlone(write, async (tx) => {
      const { projectCount } = await this.found(tx, userId);
      if (projectCount > 0) {
        const message = `Move the projects out of the organization first; it has ${projectCount}.`;
        throw new ApiError('impossible', message);
      }
      await this.repository.delete(tx, write.orgId);
      return tx.nowMs();
    });
  }

  private async assertCanSignIn(tx: OrganizationTransaction): Promise<void> {
    const { enabledConnections, verifiedDomains } = await this.repository.counts(tx.write.orgId, tx);
    if (enabledConnections > 0 && verifiedDomains > 0) return;
    throw new ApiError(
      'impossible',
      'Single sign-on can be required once the organization has an enabled connection and a verified domain.',
    );
  }

  private async found(tx: OrganizationTransaction, userId: string): Promise<SeenOrganization> {
    const organization = await this.repository.find(tx.write.orgId, userId, tx);
    if (!organization) throw noOrganization(tx.write.orgId);
    return organization;
  }
}
