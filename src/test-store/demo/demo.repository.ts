import { Injectable } from '@nestjs/common';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';

/** Accounts indicate that the demo existed before. Once deleted, it must not return. */
const isEmpty = statement(
  'demo.is_empty',
  `SELECT NOT EXISTS (SELECT 1 FROM projects) AND NOT EXISTS (SELECT 1 FROM users) AS empty`,
);
const lock = statement('demo.lock', 'SELECT pg_advisory_xact_lock(746210002)');
const findKey = statement(
  'demo.find_key',
  `SELECT a.public_key AS key FROM projects p JOIN apps a ON a.project_id = p.id AND a.type = 'test_store'
   WHERE p.name = $1 AND p.deleted_at IS NULL ORDER BY p.created_at, a.created_at LIMIT 1`,
);

@Injectable()
export class DemoRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Whether the database has neither projects nor accounts. Callers wait for each other until the transaction ends. */
  async lockAndCheckEmpty(tx: Transaction): Promise<boolean> {
    await tx.query(lock, []);
    const [row] = await tx.query<{ empty: boolean }>(isEmpty, []);
    return row?.empty === true;
  }

  /** Returns the public key of the project's Test Store app, or null. */
  async publicKey(projectName: string): Promise<string | null> {
    return (await this.database.query<{ key: string }>(findKey, [projectName]))[0]?.key ?? null;
  }
}
