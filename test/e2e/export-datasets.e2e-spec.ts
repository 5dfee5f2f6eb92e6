import { gunzipSync } from 'node:zlib';
import { encodeCsv } from '../../src/exports/datasets/csv-encoder.js';
import type { DatasetName, DatasetRange } from '../../src/exports/datasets/dataset.model.js';
import { DatasetReaderService } from '../../src/exports/datasets/dataset-reader.service.js';
import { datasets, findDataset } from '../../src/exports/datasets/datasets.js';
import { ReportSnapshotsService } from '../../src/platform/database/connections/report-snapshots.service.js';
import { signUp, type SignedUp } from '../support/arrange.js';
import { addFixtureRows, fixtureCsv } from '../support/exports/report-rows.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' } });
});

afterAll(() => server.close());

/** The file of a data set, as text. */
async function csvOf(projectId: string, name: DatasetName, range: DatasetRange): Promise<string> {
  const dataset = findDataset(name);
  if (!dataset) throw new Error(`no data set ${name}`);
  return server.app.get(ReportSnapshotsService).run({}, async (snapshot) => {
    const parts: Buffer[] = [];
    const batches = server.app.get(DatasetReaderService).read(snapshot, projectId, dataset, range);
    for await (const part of encodeCsv(batches, dataset, { isSpreadsheetSafe: false })) parts.push(part);
    return gunzipSync(Buffer.concat(parts)).toString();
  });
}

describe('the rows of data sets', () => {
  let owner: SignedUp;

  beforeAll(async () => {
    owner = await signUp(server);
    await addFixtureRows(server.dataSource, owner.projectId);
  });

  it('has the documented bytes for the transactions of the fixture', async () => {
    const all = { environment: 'all', fromSeq: 0, toSeq: 14 } as const;
    expect(await csvOf(owner.projectId, 'transactions', all)).toBe(fixtureCsv);
  });

  it.each(datasets.map(({ name, incremental }) => [name, incremental] as const))(
    'can be read in every environment: %s',
    async (name, incremental) => {
      for (const environment of ['all', 'production', 'sandbox'] as const) {
        const ranges =
          incremental === 'change'
            ? [
                { fromSeq: 0, toSeq: 14 },
                { fromSeq: 1, toSeq: 14, changedAfterMs: 1 },
              ]
            : [
                { fromMs: 0, toMs: null },
                { fromMs: 0, toMs: 1 },
              ];
        for (const range of ranges) {
          const text = await csvOf(owner.projectId, name, { environment, ...range });
          expect(text).toMatch(/^[a-z_,]+\n/);
        }
      }
    },
  );
});
