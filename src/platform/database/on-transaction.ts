import type { ObjectLiteral, Repository } from 'typeorm';
import type { Executor } from './database.service.js';

export function onTransaction<Row extends ObjectLiteral>(
  repository: Repository<Row>,
  tx: Executor | undefined,
): Repository<Row> {
  return tx ? tx.manager.withRepository(repository) : repository;
}
