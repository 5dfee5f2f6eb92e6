import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';
import { OfferingPaywalls } from '../shared/offering-paywalls.js';
import { type PublishedPaywall, PaywallsRepository } from './paywalls.repository.js';

@Injectable()
export class PublishedPaywalls extends OfferingPaywalls {
  constructor(private readonly repository: PaywallsRepository) {
    super();
  }

  publishedOf(projectId: string, offeringIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.repository.publishedOf(projectId, offeringIds);
  }

  publishedIn(tx: Transaction, projectId: string, offeringId: string): Promise<PublishedPaywall[]> {
    return this.repository.publishedIn(tx, projectId, offeringId);
  }
}
