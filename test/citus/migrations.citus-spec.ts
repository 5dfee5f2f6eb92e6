import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { DataSource } from 'typeorm';
import { ManualClock } from '../../libs/kernel/index.js';
import { tablePlaces } from '../../src/platform/database/citus/distribution.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { runMigrations } from '../../src/platform/database/schema/migrate.js';
import { startTestServer } from '../support/test-server.js';
import { type CitusDatabase, createCitusDatabase, describeCitus, distributeAll } from './citus-database.js';

const frozen = (file: string) => readFileSync(new URL(`../upgrade/0.16.0.${file}`, import.meta.url));

/** The first release that runs on Citus, with the rows that test/upgrade/freeze.mjs wrote. */
describeCitus('migrations of a distributed database', () => {
  let database: CitusDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createCitusDatabase();
    const options = dataSourceOptions({ url: database.url, poolSize: 4 });
    // The dump clears the search path of its connection.
    const loader = await new DataSource({ ...options, entities: [] }).initialize();
    await loader.query(gunzipSync(frozen('sql.gz')).toString('utf8'));
    await loader.destroy();
    dataSource = await new DataSource({ ...options, entities: [] }).initialize();
    await distributeAll(database);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('distributes the tables that they create', async () => {
    await runMigrations(database.url);
    const missing = (await tablePlaces(dataSource)).filter(({ isDistributed }) => !isDistributed);
    expect(missing).toEqual([]);
  });

  it('leaves every customer what they had', async () => {
    const facts = JSON.parse(frozen('json').toString('utf8'));
    const server = await startTestServer({
      databaseUrl: database.url,
      clock: new ManualClock(facts.madeAtMs),
      env: { SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') },
    });
    try {
      const sdk = server.http.with(facts.sdkHeaders);
      for (const [customer, subscriber] of Object.entries(facts.subscribers)) {
        const answer = await sdk.get(`/v1/subscribers/${customer}`);
        expect([customer, answer.body.subscriber]).toEqual([customer, subscriber]);
      }
    } finally {
      await server.close();
    }
  });
});
