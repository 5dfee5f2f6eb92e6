import { Injectable } from '@nestjs/common';
import { CustomerFactsRepository, type StoredCustomer } from './customer-facts.repository.js';

/** What is stored of a customer, for other features that ask what the customer would see. */
@Injectable()
export class CustomerFactsService {
  constructor(private readonly repository: CustomerFactsRepository) {}

  /** Null for an unknown customer. */
  find(projectId: string, appUserId: string, attributes: readonly string[]): Promise<StoredCustomer | null> {
    return this.repository.find(projectId, appUserId, attributes);
  }
}
