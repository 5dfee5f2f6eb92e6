import type { EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';
import type { Executor } from './database.js';
import { type Statement, statement } from './statement.js';

const statements = new WeakMap<EntityMetadata, Statement>();

function statementOf(metadata: EntityMetadata): Statement {
  const known = statements.get(metadata);
  if (known) return known;
  const columns = metadata.columns.map(
    ({ databaseName, propertyName }) => `"${databaseName}" AS "${propertyName}"`,
  );
  const keys = metadata.primaryColumns.map(({ databaseName }, index) => `"${databaseName}" = $${index + 1}`);
  // Rows that are marked as deleted are not found, as with the ORM.
  const deleted = metadata.deleteDateColumn;
  if (deleted) keys.push(`"${deleted.databaseName}" IS NULL`);
  const made = statement(
    `${metadata.tableName}.find_by_key`,
    `SELECT ${columns.join(', ')} FROM "${metadata.tableName}" WHERE ${keys.join(' AND ')}`,
  );
  statements.set(metadata, made);
  return made;
}

/**
 * The row of a primary key, or null. The statement is written once for each entity and planned once for each
 * connection; `findOneBy` of the ORM does both for every call, which costs three times the read.
 */
export async function findByKey<Row extends ObjectLiteral>(
  executor: Executor,
  entity: EntityTarget<Row>,
  key: Partial<Row>,
): Promise<Row | null> {
  const metadata = executor.manager.connection.getMetadata(entity);
  const values = metadata.primaryColumns.map(({ propertyName }) => key[propertyName] as unknown);
  const [row] = await executor.query<Row>(statementOf(metadata), values);
  return row ?? null;
}
