import type { EntityMetadata } from 'typeorm';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** TypeORM writes it while it migrates. */
const ofTheMigrationTool = 'migrations';

/** Types that TypeORM does not know, and what entities declare instead. */
const unknownTypes: Record<string, string> = { xid8: 'text' };

/** A column as PostgreSQL describes it: `text not null`, `timestamp(3) with time zone`; `key` when it identifies a row. */
type Columns = Record<string, string>;

function columnsOf({ columns, connection }: EntityMetadata): Columns {
  return Object.fromEntries(
    columns.map(({ databaseName, type, precision, scale, length, isArray, isNullable, isPrimary }) => {
      const ofNumbers = scale === undefined ? precision : `${precision},${scale}`;
      const size = ofNumbers ?? (length === '' ? undefined : length);
      const plain = connection.driver.normalizeType({ type });
      const sized = size === undefined ? plain : plain.replace(/^\w+/, (name) => `${name}(${size})`);
      const full = isArray ? `${sized}[]` : sized;
      return [databaseName, `${full}${isNullable ? '' : ' not null'}${isPrimary ? ' key' : ''}`];
    }),
  );
}

async function columnsByTable({ dataSource }: TestServer): Promise<Map<string, Columns>> {
  const rows = await dataSource.query<{ table: string; column: string; type: string; rest: string }[]>(
    `SELECT c.relname AS "table", a.attname AS "column", format_type(a.atttypid, a.atttypmod) AS type,
       CASE WHEN a.attnotnull THEN ' not null' ELSE '' END ||
       CASE WHEN a.attnum = ANY (k.conkey) THEN ' key' ELSE '' END AS rest
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p'
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> $1`,
    [ofTheMigrationTool],
  );
  const tables = new Map<string, Columns>();
  for (const { table, column, type, rest } of rows) {
    const declared = unknownTypes[type] ?? type;
    tables.set(table, { ...tables.get(table), [column]: declared + rest });
  }
  return tables;
}

describe('the entities', () => {
  let server: TestServer;
  let tables: Map<string, Columns>;
  let entities: EntityMetadata[];

  beforeAll(async () => {
    server = await startTestServer({ env: { SERVICE_EE_DEV: 'true' } });
    tables = await columnsByTable(server);
    entities = server.dataSource.entityMetadatas;
  });

  afterAll(() => server.close());

  it('matches each table of the migrated schema', () => {
    const described = entities.map(({ tableName }) => tableName);
    expect(described.sort()).toEqual([...tables.keys()].sort());
  });

  it('has the columns of their tables, with their types, keys and nulls', () => {
    const declared = Object.fromEntries(entities.map((entity) => [entity.tableName, columnsOf(entity)]));
    const actual = Object.fromEntries(entities.map(({ tableName }) => [tableName, tables.get(tableName)]));
    expect(declared).toEqual(actual);
  });

  it('never change the schema: only migrations do', () => {
    expect(server.dataSource.options.synchronize).toBe(false);
  });
});
