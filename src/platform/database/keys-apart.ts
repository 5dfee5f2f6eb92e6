import type { QueryRunner } from 'typeorm';
import { givingWay } from './giving-way.js';

/**
 * A unique key of a partitioned table that does not hold the partition's time, so that what is told twice counts once in
 * whichever month it is told again: a table of its own has the keys, and triggers keep it, whoever writes.
 */
export interface KeysApart {
  table: string;
  /** Has the columns of the key, which are its primary key. */
  keysTable: string;
  /** The tenant first. */
  key: readonly string[];
  /** What `keysTable` says besides about the row: where it is found among the partitions. */
  place?: readonly string[];
  /** Primary key of `table`: the order in which `noteKeys` goes through it. */
  rows: readonly string[];
  /** What an insert of a key does that is there: nothing, or it fails with 23505 like any unique key. */
  repeated: 'is_left_out' | 'fails';
}

const BATCH = 10_000;

const named = (record: string, columns: readonly string[]): string =>
  columns.map((column) => `${record}.${column}`).join(', ');

const triggersOf = ({ table }: KeysApart) => ({ noted: `${table}_noted`, forgotten: `${table}_forgotten` });

/** Before a table with triggers becomes a partition: it gets those of the partitioned one. */
export function dropTriggers(keys: KeysApart): string {
  const { noted, forgotten } = triggersOf(keys);
  return `DROP TRIGGER IF EXISTS ${noted} ON ${keys.table}; DROP TRIGGER IF EXISTS ${forgotten} ON ${keys.table};`;
}

/**
 * Of a plain or a partitioned table; new partitions have them too. Can be run again. A key is forgotten before its row
 * is deleted: whoever brings the same key meanwhile waits for the end of the deletion, as with any unique key.
 */
export function createTriggers(keys: KeysApart): string {
  const { table, keysTable, key, place = [], repeated } = keys;
  const noting = [...key, ...place];
  const { noted, forgotten } = triggersOf(keys);
  const onRepetition =
    repeated === 'fails' ? ';' : ' ON CONFLICT DO NOTHING; IF NOT FOUND THEN RETURN NULL; END IF;';
  return `
    CREATE OR REPLACE FUNCTION note_${keysTable}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO ${keysTable} (${noting.join(', ')}) VALUES (${named('NEW', noting)})${onRepetition}
      RETURN NEW;
    END $$;
    CREATE OR REPLACE FUNCTION forget_${keysTable}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM ${keysTable} WHERE (${key.join(', ')}) = (${named('OLD', key)});
      RETURN OLD;
    END $$;
    CREATE OR REPLACE TRIGGER ${noted} BEFORE INSERT ON ${table}
      FOR EACH ROW EXECUTE FUNCTION note_${keysTable}();
    CREATE OR REPLACE TRIGGER ${forgotten} BEFORE DELETE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION forget_${keysTable}();`;
}

/** A repetition of a row without a noted key has noted it with its own place, and was then refused by the table. */
function onConflict({ keysTable, key, place }: KeysApart): string {
  if (!place) return 'DO NOTHING';
  const excluded = named('excluded', place);
  return `(${key.join(', ')}) DO UPDATE SET (${place.join(', ')}) = ROW (${excluded})
        WHERE (${named(keysTable, place)}) IS DISTINCT FROM (${excluded})`;
}

/**
 * Notes the keys of the rows that were there before the triggers, while everybody goes on writing: for migrations with
 * `transaction = false`. A row that is being deleted is waited for, so that no key stays without its row. Can be run
 * again.
 */
export async function noteKeys(queryRunner: QueryRunner, keys: KeysApart): Promise<void> {
  const { table, keysTable, key, place = [], rows } = keys;
  const noting = [...key, ...place].join(', ');
  const order = rows.join(', ');
  const behind = rows.map((_, index) => `$${index + 2}`).join(', ');
  const statement = (after: unknown[] | null): string => `
    WITH batch AS MATERIALIZED (
      SELECT ${[...new Set([...rows, ...key, ...place])].join(', ')} FROM ${table}
      ${after === null ? '' : `WHERE (${order}) > (${behind})`}
      ORDER BY ${order} LIMIT $1 FOR KEY SHARE
    ), noted AS (
      INSERT INTO ${keysTable} (${noting}) SELECT ${noting} FROM batch
      ON CONFLICT ${onConflict(keys)}
    )
    SELECT ${order} FROM batch ORDER BY ${rows.map((column) => `${column} DESC`).join(', ')} LIMIT 1`;
  let after: unknown[] | null = null;
  do {
    const values: unknown[] = [BATCH, ...(after ?? [])];
    const found: Record<string, unknown>[] = await givingWay(() =>
      queryRunner.manager.query(statement(after), values),
    );
    const [last] = found;
    after = last ? rows.map((column) => last[column]) : null;
  } while (after !== null);
}
