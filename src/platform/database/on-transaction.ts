import type { ObjectLiteral, Repository } from 'typeorm';
import type { Executor } from './database.js';

/** The repository on the connection of a transaction; without one, on the pool. */
export function onTransaction<Row extends ObjectLiteral>(
  repository: Repository<Row>,
  tx: Executor | undefined,
): Repository<Row> {
  return tx ? tx.manager.withRepository(repository) : repository;
}
