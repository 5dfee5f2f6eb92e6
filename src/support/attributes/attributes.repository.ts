import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';

const keepToken = statement(
  'attributes.keep_adservices_token',
  `UPDATE customers SET adservices_token = $3 WHERE project_id = $1 AND id = $2`,
);

/** What is kept about customers beside their attributes, which are part of a customer's change set. */
@Injectable()
export class AttributesRepository {
  /** Keeps Apple's token; it is not exchanged for attribution data here. */
  async keepToken(tx: Transaction, projectId: string, customerId: string, token: string): Promise<void> {
    await tx.query(keepToken, [projectId, customerId, token]);
  }
}
