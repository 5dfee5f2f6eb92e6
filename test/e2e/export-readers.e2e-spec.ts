import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { signUp, type SignedUp } from '../support/arrange.js';
import { addFixtureRows } from '../support/exports/report-rows.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const page = new URL('../../docs/exports.md', import.meta.url);

describe('a file of a data set in other programs', () => {
  let server: TestServer;
  let owner: SignedUp;
  let folder: string;
  let duckdb: DuckDBConnection;
  let types: string[];

  beforeAll(async () => {
    server = await startTestServer();
    owner = await signUp(server);
    await addFixtureRows(server.dataSource, owner.projectId);
    folder = await mkdtemp(join(tmpdir(), 'tenure-readers-'));
    duckdb = await (await DuckDBInstance.create(':memory:')).connect();
    for (const [format, ending] of [
      ['csv', 'csv.gz'],
      ['parquet', 'parquet'],
    ]) {
      const query = `dataset=transactions&environment=all&spreadsheet_safe=false&format=${format}`;
      const path = `/v2/projects/${owner.projectId}/integrations/exports/download?${query}`;
      const bytes = Buffer.from(await (await owner.session.open(path)).arrayBuffer());
      await writeFile(join(folder, `transactions_1.${ending}`), bytes);
    }
    await duckdb.run("SET TimeZone = 'UTC'");
    const columns = (await rowsOf(`DESCRIBE SELECT * FROM ${parquet()}`)) as Record<string, string>[];
    types = columns.map(({ column_name: name, column_type: type }) => `'${name}': '${type}'`);
  });

  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const rowsOf = async (sql: string): Promise<unknown[]> =>
    (await duckdb.runAndReadAll(sql)).getRowObjectsJson();
  const parquet = (): string => `'${folder}/transactions_1.parquet'`;
  /** With the types of the Parquet file, because CSV has none. */
  const csv = (): string =>
    `read_csv('${folder}/transactions_1.csv.gz', header = true, nullstr = '', types = {${types.join(', ')}})`;

  it('has the same rows in DuckDB as CSV and as Parquet', async () => {
    const sorted = 'ORDER BY store_transaction_id, renewal_number';
    const fromCsv = await rowsOf(`SELECT * FROM ${csv()} ${sorted}`);
    expect(fromCsv).toHaveLength(14);
    expect(fromCsv).toEqual(await rowsOf(`SELECT * FROM ${parquet()} ${sorted}`));
  });

  it("answers the vendor's question for revenue", async () => {
    const sql = (from: string): string =>
      `SELECT round(sum(purchase_price_in_usd), 2)::double AS gross, round(sum(price_in_usd), 2)::double AS net,
         round(sum(price_in_usd * takehome_percentage), 3)::double AS proceeds
       FROM ${from} WHERE NOT is_trial_period AND NOT is_sandbox AND ownership_type <> 'FAMILY_SHARED'
         AND store <> 'promotional'`;
    const answer = [{ gross: 132.47, net: 120.48, proceeds: 103.611 }];
    expect(await rowsOf(sql(csv()))).toEqual(answer);
    expect(await rowsOf(sql(parquet()))).toEqual(answer);
  });

  it('comes back through COPY of PostgreSQL with nulls and every text', async () => {
    const lines = gunzipSync(await readFile(join(folder, 'transactions_1.csv.gz'))).toString();
    const columns = (lines.split('\n')[0] ?? '').split(',').map((name) => `${name} text`);
    await server.dataSource.query(`CREATE TABLE read_back (${columns.join(', ')})`);
    const file = join('/tmp', `tenure-copy-${process.pid}.csv`);
    await writeFile(file, lines, { mode: 0o644 });
    await server.dataSource.query(`COPY read_back FROM '${file}' WITH (FORMAT csv, HEADER)`);
    await rm(file);
    const rows = await server.dataSource.query<object[]>(
      `SELECT custom_subscriber_attributes::jsonb AS attributes, end_time FROM read_back
       WHERE store_transaction_id = '1004'`,
    );
    expect(rows).toEqual([
      { attributes: { 'plan, "x"': { value: 'a\nb', updated_at_ms: 1767254400000 } }, end_time: null },
    ]);
  });

  it('serves the queries of the documentation', async () => {
    const blocks = [...(await readFile(page, 'utf8')).matchAll(/```sql\n(.*?)```/gs)].map(
      ([, sql = '']) => sql,
    );
    await duckdb.run(`CREATE TABLE transactions AS SELECT * FROM ${parquet()}`);
    await duckdb.run(
      `CREATE TABLE deletions AS SELECT 'transactions' AS dataset, '{"store":"stripe","store_transaction_id":"in_1","renewal_number":1,"is_sandbox":false}' AS key`,
    );
    for (const block of blocks) {
      for (const sql of block.split(';').filter((text) => text.trim() !== ''))
        await duckdb.run(sql.replaceAll("'transactions_*", `'${folder}/transactions_*`));
    }
    expect(blocks.length).toBeGreaterThan(1);
    expect(await rowsOf('SELECT count(*)::int AS left FROM transactions')).toEqual([{ left: 13 }]);
  });
});
