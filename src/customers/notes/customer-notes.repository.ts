import { Injectable } from '@nestjs/common';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { Narrowing } from '../../platform/database/narrowing.js';
import { statement } from '../../platform/database/statement.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import type { CustomerNote } from './customer-note.entity.js';

const columns = `n.project_id AS "projectId", n.id, n.customer_id AS "customerId", n.text, n.author_type AS "authorType",
  n.author_id AS "authorId", n.author_email AS "authorEmail", n.created_at AS "createdAt", n.edited_at AS "editedAt"`;

const insert = statement(
  'customer_notes.insert',
  `INSERT INTO customer_notes (project_id, id, customer_id, text, author_type, author_id, author_email, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

const find = statement(
  'customer_notes.find',
  `SELECT ${columns} FROM customer_notes n WHERE n.project_id = $1 AND n.customer_id = $2 AND n.id = $3`,
);

const edit = statement(
  'customer_notes.edit',
  `UPDATE customer_notes SET text = $3, edited_at = $4 WHERE project_id = $1 AND id = $2`,
);

const remove = statement(
  'customer_notes.delete',
  `DELETE FROM customer_notes WHERE project_id = $1 AND id = $2`,
);

const count = statement(
  'customer_notes.count',
  `SELECT n.customer_id AS "customerId", count(*)::int AS notes FROM customer_notes n
   WHERE n.project_id = $1 AND n.customer_id = ANY ($2::text[]) GROUP BY n.customer_id`,
);

const order = ['n.created_at', 'n.id'];

@Injectable()
export class CustomerNotesRepository {
  constructor(private readonly database: DatabaseService) {}

  async insert(tx: Transaction, note: CustomerNote): Promise<void> {
    const { projectId, id, customerId, text, authorType, authorId, authorEmail, createdAt } = note;
    await tx.query(insert, [projectId, id, customerId, text, authorType, authorId, authorEmail, createdAt]);
  }

  async find(
    projectId: string,
    customerId: string,
    id: string,
    executor: Executor = this.database,
  ): Promise<CustomerNote | null> {
    return (await executor.query<CustomerNote>(find, [projectId, customerId, id]))[0] ?? null;
  }

  async edit(tx: Transaction, { projectId, id, text, editedAt }: CustomerNote): Promise<void> {
    await tx.query(edit, [projectId, id, text, editedAt]);
  }

  async delete(tx: Transaction, projectId: string, id: string): Promise<void> {
    await tx.query(remove, [projectId, id]);
  }

  async count(projectId: string, customerIds: string[]): Promise<Map<string, number>> {
    type Row = { customerId: string; notes: number };
    const rows = await this.database.query<Row>(count, [projectId, customerIds]);
    return new Map(rows.map(({ customerId, notes }) => [customerId, notes]));
  }

  /** Newest first. */
  page(
    projectId: string,
    customerId: string,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<CustomerNote[]> {
    const narrowing = new Narrowing('customer_notes.page', [projectId, customerId, limit + 1]);
    const text = `SELECT ${columns} FROM customer_notes n
      WHERE n.project_id = $1 AND n.customer_id = $2${narrowing.behind(order, after)}
      ORDER BY n.created_at DESC, n.id DESC LIMIT $3`;
    return this.database.query(narrowing.statement(text), narrowing.values);
  }
}
