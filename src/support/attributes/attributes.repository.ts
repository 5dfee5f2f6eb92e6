import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';

const keepToken = statement(
  'attributes.keep_adservices_token',
  `UPDATE customers SET adservices_token = $3 WHERE project_id = $1 AND id = $2`,
);

/** Stores customer data other than attributes, which are part of a customer's change set. */
@Injectable()
export class AttributesRepository {
  /** Stores Apple's token without exchanging it for attribution data. */
  async keepToken(tx: Transaction, projectId: string, customerId: string, token: string): Promise<void> {
    await tx.query(keepToken, [projectId, customerId, token]);
  }
}
