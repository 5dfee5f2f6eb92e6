import { Injectable } from '@nestjs/common';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import type { AttributeInput } from '../../customers/customers/identity/attribute-merge.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { AttributeChangesService } from './attribute-changes.service.js';
import { type AttributeSender, AttributeSendersService } from './attribute-senders.service.js';
import { AttributesRepository } from './attributes.repository.js';

export interface AttributePost extends AttributeSender {
  inputs: AttributeInput[];
}

@Injectable()
export class AttributesService {
  constructor(
    private readonly repository: AttributesRepository,
    private readonly senders: AttributeSendersService,
    private readonly catalogs: CatalogService,
    private readonly changes: AttributeChangesService,
    private readonly database: DatabaseService,
  ) {}

  /** Saves newer values and creates unknown customers. Returns the names rejected because there are too many. */
  async post({ inputs, ...sender }: AttributePost): Promise<string[]> {
    const catalog = await this.catalogs.get(sender.projectId);
    return this.database.transaction(
      async (tx) => {
        const { customer, nowMs } = await this.senders.lock(tx, sender);
        const source = sender.device ? 'sdk' : 'api';
        const seen = sender.device ? [customer.id] : [];
        return this.changes.save(tx, catalog, customer, inputs, { source, overrules: false, nowMs }, seen);
      },
      { retryUniqueViolation: true },
    );
  }

  /** Stores Apple's attribution token for a customer, creating unknown ones. */
  async keepAdServicesToken(sender: AttributeSender, token: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { customer } = await this.senders.lock(tx, sender);
      await this.repository.keepToken(tx, sender.projectId, customer.id, token);
    });
  }
}
