import type { DataSource } from 'typeorm';
import { expectedIndexes } from '../../platform/database/schema/expected-indexes.js';
import {
  definitionsOf,
  indexesOf,
  partitionsOf,
  type SchemaIndex,
  type TablePartition,
} from '../../platform/database/schema/schema-indexes.js';
import { type Finding, finding } from './finding.js';
import { migrationState } from '../migration-state.js';

/** The unused copy that a failed REINDEX CONCURRENTLY leaves. */
const LEFTOVER = /_cc(new|old)\d*$/;
const PLAIN_NAME = /^[a-z_][a-z0-9_]*$/;
/** PostgreSQL truncates longer names. */
const MAX_NAME = 63;

const quoted = (name: string): string => (PLAIN_NAME.test(name) ? name : `"${name}"`);

/** Does not block writes, unlike the migration's statement. */
const concurrently = (definition: string): string =>
  definition.replace(/^CREATE (UNIQUE )?INDEX /, 'CREATE $1INDEX CONCURRENTLY ');

const tableOf = (definition: string): string => / ON public\.(\w+) /.exec(definition)?.[1] ?? '';

class Indexes {
  constructor(
    private readonly indexes: readonly SchemaIndex[],
    private readonly partitions: readonly TablePartition[],
  ) {}

  invalid(): Finding[] {
    return this.indexes.filter(({ isValid }) => !isValid).flatMap((index) => this.remediesOf(index));
  }

  /** Returns every index of the migrations that is missing or different. */
  deviations(): Finding[] {
    const present = definitionsOf(this.indexes);
    return Object.entries(expectedIndexes).flatMap(([name, definition]) => {
      const found = present[name];
      if (found === definition) return [];
      const made = this.statementsFor(name, definition);
      if (found === undefined) return [finding('failure', `The index ${name} is missing: ${made}`)];
      const isPartitioned = this.partitionsOf(tableOf(definition)).length > 0;
      const dropped = `DROP INDEX ${isPartitioned ? '' : 'CONCURRENTLY '}${quoted(name)}`;
      return [finding('warning', `The index ${name} is not what it should be: ${dropped}; ${made}`)];
    });
  }

  private remediesOf(index: SchemaIndex): Finding[] {
    const { name, isPartitioned } = index;
    if (isPartitioned) return this.remediesOfPartitioned(index);
    const isOurs = name in expectedIndexes || index.parent !== null;
    const remedy = LEFTOVER.test(name)
      ? `DROP INDEX CONCURRENTLY ${quoted(name)}`
      : `REINDEX INDEX CONCURRENTLY ${quoted(name)}${isOurs ? '' : ', or drop it'}`;
    return [finding('failure', `The index ${name} is not valid: ${remedy}`)];
  }

  /** PostgreSQL marks it valid once all partitions have their index attached. */
  private remediesOfPartitioned({ name, table, definition }: SchemaIndex): Finding[] {
    const parts = this.indexes.filter(({ parent }) => parent === name);
    const lacking = this.partitionsOf(table).filter(
      (partition) => !parts.some((part) => part.table === partition),
    );
    if (lacking.length > 0)
      return lacking.map((partition) =>
        finding(
          'failure',
          `The index ${name} is not valid: the partition ${partition} lacks it: ${onPartition(name, definition, partition)}`,
        ),
      );
    const [invalid] = parts.filter(({ isValid }) => !isValid);
    const [any] = parts;
    const attach = `ALTER INDEX ${quoted(name)} ATTACH PARTITION ${quoted((invalid ?? any)?.name ?? '')}`;
    const remedy = invalid ? `REINDEX INDEX CONCURRENTLY ${quoted(invalid.name)}; ${attach}` : attach;
    const where = invalid ? `: that of the partition ${invalid.table} is not` : '';
    return [finding('failure', `The index ${name} is not valid${where}: ${remedy}`)];
  }

  /** The index of a partitioned table cannot be created concurrently; those of its partitions can. */
  private statementsFor(name: string, definition: string): string {
    const partitions = this.partitionsOf(tableOf(definition));
    if (partitions.length === 0) return concurrently(definition);
    const only = definition.replace(' ON public.', ' ON ONLY public.');
    return [only, ...partitions.map((partition) => onPartition(name, definition, partition))].join('; ');
  }

  private partitionsOf(wanted: string): string[] {
    return this.partitions.filter(({ table }) => table === wanted).map(({ partition }) => partition);
  }
}

function onPartition(name: string, definition: string, partition: string): string {
  const part = quoted(`${partition}_${name}`.slice(0, MAX_NAME));
  const made = concurrently(definition)
    .replace(` ${quoted(name)} ON `, ` ${part} ON `)
    .replace(/ ON (ONLY )?public\.\w+ /, ` ON public.${partition} `);
  return `${made}; ALTER INDEX ${quoted(name)} ATTACH PARTITION ${part}`;
}

/** Additional indexes do not matter if they are valid. */
export async function examineIndexes(dataSource: DataSource): Promise<Finding[]> {
  const all = await indexesOf(dataSource);
  const indexes = new Indexes(all, await partitionsOf(dataSource));
  // A newer version may have dropped or changed some.
  const isOurs = (await migrationState(dataSource)).unknown.length === 0;
  const findings = [...indexes.invalid(), ...(isOurs ? indexes.deviations() : [])];
  if (findings.length > 0) return findings;
  return [finding('ok', `All ${all.length} indexes are ${isOurs ? 'there and ' : ''}valid`)];
}
