import { Injectable } from '@nestjs/common';
import { customerIdOf } from '../../customers/customers/identity/customer-names.sql.js';
import type { Reader } from '../../platform/database/database.service.js';
import { type Statement, statement } from '../../platform/database/statement.js';
import { exportSections, sectionQuery } from './export-sections.sql.js';

/** Records read per batch: a subscription with hundreds of periods takes about 100 KB. */
const BATCH = 100;

const find = statement(
  'customer_export.find',
  `SELECT c.id, c.original_app_user_id AS "appUserId" FROM customers c
   WHERE c.project_id = $1 AND c.id = ${customerIdOf('$2')}`,
);

/** A cursor reads each index once, however many records there are. */
const open = exportSections.map((section) =>
  statement(
    `customer_export.open.${section.object}`,
    `DECLARE customer_export NO SCROLL CURSOR FOR ${sectionQuery(section)}`,
  ),
);
const fetch = statement('customer_export.fetch', `FETCH ${BATCH} FROM customer_export`);
const close = statement('customer_export.close', 'CLOSE customer_export');

export interface ExportedCustomer {
  id: string;
  /** The first app user id. */
  appUserId: string;
}

@Injectable()
export class CustomerExportRepository {
  async find(executor: Reader, projectId: string, appUserId: string): Promise<ExportedCustomer | null> {
    return (await executor.query<ExportedCustomer>(find, [projectId, appUserId]))[0] ?? null;
  }

  /** Yields the JSON of each record, in batches. Reads nothing ahead of the consumer. */
  async *batches(reader: Reader, projectId: string, customerId: string): AsyncGenerator<string[]> {
    for (const section of open) yield* this.section(reader, section, [projectId, customerId]);
  }

  private async *section(reader: Reader, section: Statement, values: string[]): AsyncGenerator<string[]> {
    await reader.query(section, values);
    for (;;) {
      const rows = await reader.query<{ line: string }>(fetch, []);
      if (rows.length > 0) yield rows.map(({ line }) => line);
      if (rows.length < BATCH) break;
    }
    await reader.query(close, []);
  }
}
