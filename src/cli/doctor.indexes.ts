import type { DataSource } from 'typeorm';
import { expectedIndexes } from '../database/expected-indexes.js';
import { definitionsOf, indexesOf, type SchemaIndex } from '../database/schema-indexes.js';
import { type Finding, finding } from './finding.js';
import { migrationState } from './migration-state.js';

/** What REINDEX CONCURRENTLY leaves when it fails: a copy that nobody needs. */
const LEFTOVER = /_cc(new|old)\d*$/;

function remedyOf({ name, isPartitioned }: SchemaIndex): string {
  if (name in expectedIndexes)
    return isPartitioned ? 'one of its partitions has no such index' : 'REINDEX INDEX CONCURRENTLY';
  return LEFTOVER.test(name) ? 'DROP INDEX CONCURRENTLY' : 'REINDEX INDEX CONCURRENTLY, or drop it';
}

const invalid = (indexes: readonly SchemaIndex[]): Finding[] =>
  indexes
    .filter(({ isValid }) => !isValid)
    .map((index) => finding('failure', `The index ${index.name} is not valid: ${remedyOf(index)}`));

function deviations(indexes: readonly SchemaIndex[]): Finding[] {
  const present = definitionsOf(indexes);
  return Object.entries(expectedIndexes).flatMap(([name, definition]) => {
    const found = present[name];
    if (found === undefined) return [finding('failure', `The index ${name} is missing: ${definition}`)];
    return found === definition
      ? []
      : [finding('warning', `The index ${name} is not what it should be: ${definition}`)];
  });
}

/** Whether queries can use every index that the migrations make. Others are nobody's business, as long as they work. */
export async function examineIndexes(dataSource: DataSource): Promise<Finding[]> {
  const indexes = await indexesOf(dataSource);
  // A newer version may do without some, or have changed them.
  const isOurs = (await migrationState(dataSource)).unknown.length === 0;
  const findings = [...invalid(indexes), ...(isOurs ? deviations(indexes) : [])];
  if (findings.length > 0) return findings;
  return [finding('ok', `All ${indexes.length} indexes are ${isOurs ? 'there and ' : ''}valid`)];
}
