import { Injectable } from '@nestjs/common';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import type { CatalogOffering } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { markOfferingOverrides } from '../../catalog/shared/catalog-version.js';
import { backendInfo, type CustomerInfoParts } from '../customers/customer-info/customer-info.js';
import { CustomersService } from '../customers/identity/customers.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';

/** Offerings that individual customers see as the current one. */
@Injectable()
export class OfferingOverridesService {
  constructor(
    private readonly customers: CustomersService,
    private readonly catalogs: CatalogService,
    private readonly writes: ProjectWritesService,
  ) {}

  /**
   * Sets a customer's current offering by id or lookup key; null restores the project's current offering. Idempotent.
   * @throws ApiError 404 for an unknown offering or customer, 422 for an archived offering
   */
  async set(write: ProjectWrite, appUserId: string, offeringName: string | null): Promise<CustomerInfoParts> {
    const { projectId } = write;
    const catalog = await this.catalogs.getCurrent(projectId);
    const offering = offeringName === null ? null : catalog.findOffering(offeringName);
    if (offering === undefined) throw ApiError.missing('offering', offeringName ?? '', 'offering_id');
    this.assertActive(offering);
    return this.writes.run(write, async (tx) => {
      if (offering) await markOfferingOverrides(tx, projectId);
      const locked = await this.customers.lockExisting(tx, projectId, appUserId);
      await this.customers.overrideOffering(tx, projectId, locked.id, offering?.id ?? null);
      await tx.audit({
        action: offering ? 'offering_assigned' : 'offering_unassigned',
        target: 'customer',
        targetId: locked.originalAppUserId,
        data: offering ? { offering_id: offering.id } : {},
      });
      return backendInfo(locked, catalog, tx.nowMs());
    });
  }

  private assertActive(offering: CatalogOffering | null): void {
    if (offering === null || offering.active) return;
    throw new ApiError('archived_reference', 'An archived offering cannot be assigned.', {
      param: 'offering_id',
      referencedObjectIds: [offering.id],
    });
  }
}
