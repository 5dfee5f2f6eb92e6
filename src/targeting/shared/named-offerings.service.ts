import { Injectable } from '@nestjs/common';
import { OfferingsService } from '../../catalog/offerings/offerings.service.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';

/** An offering in a request, and the field that contains it. */
export interface NamedOffering {
  param: string;
  offeringId: string;
}

/** Checks the offerings used by rules and experiments. The caller has raised the catalog version. */
@Injectable()
export class NamedOfferings {
  constructor(private readonly offerings: OfferingsService) {}

  /** @throws ApiError 404 naming the field of an unknown offering, 422 naming the archived ones */
  async assertActive(tx: Transaction, projectId: string, named: readonly NamedOffering[]): Promise<void> {
    const ids = [...new Set(named.map(({ offeringId }) => offeringId))];
    const found = await this.offerings.findMany(projectId, ids, tx);
    const states = new Map(found.map(({ id, state }) => [id, state]));
    const unknown = named.find(({ offeringId }) => !states.has(offeringId));
    if (unknown) throw ApiError.missing('offering', unknown.offeringId, unknown.param);
    const archived = ids.filter((id) => states.get(id) === 'inactive');
    if (archived.length === 0) return;
    throw new ApiError('archived_reference', 'Archived offerings cannot be shown.', {
      param: named.find(({ offeringId }) => archived.includes(offeringId))?.param,
      referencedObjectIds: archived,
    });
  }
}
