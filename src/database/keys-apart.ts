import type { QueryRunner } from 'typeorm';

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
  /** Columns that the table of keys has besides, named as in `table`: what leads to the row. */
  also?: readonly string[];
  /** Primary key of `table`: the order in which `noteKeys` goes through it. */
  rows: readonly string[];
  /** What an insert of a key does that is there: nothing, or it fails with 23505 like any unique key. */
  repeated: 'is_left_out' | 'fails';
}

const BATCH = 10_000;

const named = (record: string, columns: readonly string[]): string =>
  columns.map((column) => `${record}.${column}`).join(', ');

const columnsOf = ({ key, also = [] }: KeysApart): string[] => [...key, ...also];

const triggersOf = ({ table }: KeysApart) => ({ noted: `${table}_noted`, forgotten: `${table}_forgotten` });

/** Before a table with triggers becomes a partition: it gets those of the partitioned one. `on`: its name by then. */
export function dropTriggers(keys: KeysApart, on = keys.table): string {
  const { noted, forgotten } = triggersOf(keys);
  return `DROP TRIGGER IF EXISTS ${noted} ON ${on}; DROP TRIGGER IF EXISTS ${forgotten} ON ${on};`;
}

/** Of a plain or a partitioned table; new partitions have them too. Can be run again. */
export function createTriggers(keys: KeysApart): string {
  const { table, keysTable, key, repeated } = keys;
  const { noted, forgotten } = triggersOf(keys);
  const onRepetition =
    repeated === 'fails' ? ';' : ' ON CONFLICT DO NOTHING; IF NOT FOUND THEN RETURN NULL; END IF;';
  return `
    CREATE OR REPLACE FUNCTION note_${keysTable}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO ${keysTable} (${columnsOf(keys).join(', ')})
      VALUES (${named('NEW', columnsOf(keys))})${onRepetition}
      RETURN NEW;
    END $$;
    CREATE OR REPLACE FUNCTION forget_${keysTable}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM ${keysTable} WHERE (${key.join(', ')}) = (${named('OLD', key)});
      RETURN NULL;
    END $$;
    ${dropTriggers(keys)}
    CREATE TRIGGER ${noted} BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION note_${keysTable}();
    CREATE TRIGGER ${forgotten} AFTER DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION forget_${keysTable}();`;
}

/**
 * A repetition of a row that was not noted yet has left its own: of a row that its unique key then refused. The row that
 * is there is right.
 */
function corrected({ key, also = [] }: KeysApart): string {
  if (also.length === 0) return 'ON CONFLICT DO NOTHING';
  const [noted, present] = [named('k', also), named('excluded', also)];
  return `ON CONFLICT (${key.join(', ')}) DO UPDATE SET (${also.join(', ')}) = ROW (${present})
        WHERE (${noted}) IS DISTINCT FROM (${present})`;
}

/**
 * Notes the keys of the rows that were there before the triggers, while everybody goes on writing: for migrations with
 * `transaction = false`. A row that is being deleted is waited for, so that no key stays without its row. Can be run
 * again.
 */
export async function noteKeys(queryRunner: QueryRunner, keys: KeysApart): Promise<void> {
  const { table, keysTable, rows } = keys;
  const columns = columnsOf(keys);
  const place = rows.join(', ');
  const behind = rows.map((_, index) => `$${index + 2}`).join(', ');
  const statement = (after: unknown[] | null): string => `
    WITH batch AS MATERIALIZED (
      SELECT ${[...new Set([...rows, ...columns])].join(', ')} FROM ${table}
      ${after === null ? '' : `WHERE (${place}) > (${behind})`}
      ORDER BY ${place} LIMIT $1 FOR KEY SHARE
    ), noted AS (
      INSERT INTO ${keysTable} AS k (${columns.join(', ')}) SELECT ${columns.join(', ')} FROM batch
      ${corrected(keys)}
    )
    SELECT ${place} FROM batch ORDER BY ${rows.map((column) => `${column} DESC`).join(', ')} LIMIT 1`;
  let after: unknown[] | null = null;
  do {
    const values: unknown[] = [BATCH, ...(after ?? [])];
    const found: Record<string, unknown>[] = await queryRunner.manager.query(statement(after), values);
    const [last] = found;
    after = last ? rows.map((column) => last[column]) : null;
  } while (after !== null);
}
