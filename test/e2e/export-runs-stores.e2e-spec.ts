import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ManualClock } from '../../libs/kernel/index.js';
import type { Json } from '../support/api-client.js';
import { signUp } from '../support/arrange.js';
import { delivered, ExportsWorld, manifestOf } from '../support/exports/arrange-exports.js';
import { addFixtureRows, changeFixtureRows } from '../support/exports/report-rows.js';
import { type AzurePeer, startAzurePeer } from '../support/file-stores/azure-peer.js';
import { filesIn } from '../support/file-stores/files-in.js';
import { type SshdPeer, startSshd } from '../support/file-stores/sshd.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

type Files = Map<string, Buffer>;

describe('runs of exports to other stores', () => {
  let azure: AzurePeer;
  let sshd: SshdPeer;
  let server: TestServer;
  let world: ExportsWorld;

  beforeAll(async () => {
    [azure, sshd, server] = await Promise.all([
      startAzurePeer(),
      startSshd(),
      startTestServer({
        clock: new ManualClock(Date.now()),
        env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true' },
      }),
    ]);
  });

  afterAll(async () => {
    await server.close();
    await Promise.all([azure.close(), sshd.close()]);
  });

  beforeEach(async () => {
    world = new ExportsWorld(server, await signUp(server));
    await addFixtureRows(server.dataSource, world.projectId);
  });

  const sftp = (): object => ({
    host: '127.0.0.1',
    port: sshd.port,
    username: sshd.username,
    private_key: sshd.privateKey,
    host_key: sshd.hostKey,
    folder: sshd.folder,
  });
  const sftpFiles = async (): Promise<Files> => {
    const names = await filesIn(sshd.folder);
    const read = names.map(async (name): Promise<[string, Buffer]> => [
      name,
      await readFile(join(sshd.folder, name)),
    ]);
    return new Map(await Promise.all(read));
  };

  it.each<[string, () => object, () => Promise<Files>]>([
    [
      'Azure with a connection string',
      () => ({
        kind: 'azure',
        azure: { container: azure.container, connection_string: azure.connectionString },
      }),
      () => azure.files(),
    ],
    [
      'Azure with a SAS token',
      () => ({
        kind: 'azure',
        azure: {
          container_url: `${azure.endpoint}/${azure.container}`,
          sas_token: azure.sasToken('rcwd'),
        },
      }),
      () => azure.files(),
    ],
    ['an SFTP server', () => ({ kind: 'sftp', sftp: sftp() }), sftpFiles],
  ])('deliver all rows to %s, then those that changed', async (_, destinationOf, list) => {
    const prefix = world.projectId;
    const { id } = await world.create({ ...destinationOf(), prefix });
    const runs: Json[] = [await world.run(id)];
    await changeFixtureRows(server.dataSource, world.projectId);
    runs.push(await world.run(id));
    expect(runs).toMatchObject([
      { state: 'succeeded', attempt: 1, mode: 'full', mode_reason: 'first', rows: 13, warnings: [] },
      { state: 'succeeded', attempt: 1, mode: 'incremental', mode_reason: null, rows: 2, warnings: [] },
    ]);

    const files = await list();
    const read = (key: string): Promise<Buffer> => Promise.resolve(files.get(key) ?? Buffer.from(''));
    const manifests = runs.map((run) => manifestOf(prefix, run));
    const [full, changes] = await Promise.all(manifests.map((key) => delivered(read, key)));
    expect(full?.manifest.files).toMatchObject([
      { dataset: 'transactions', mode: 'full', rows: 13, from_seq: 0, to_seq: 14 },
    ]);
    expect(changes?.manifest.files).toMatchObject([
      { dataset: 'deletions', mode: 'incremental', rows: 1, from_seq: 14, to_seq: 16 },
      { dataset: 'transactions', mode: 'incremental', rows: 1, from_seq: 14, to_seq: 16 },
    ]);
    expect(full?.files[0]?.text.trim().split('\n')).toHaveLength(14);
    const [deletions, transactions] = changes?.files ?? [];
    expect(deletions?.text).toContain('""store_transaction_id"":""1006""');
    expect(transactions?.text).toMatch(/,FR,from_sdk,.*,1003,1001,/);
    const named = [full, changes].flatMap((one) =>
      (one?.manifest.files as Json[]).map(({ key }) => key as string),
    );
    const own = [...files.keys()].filter((key) => key.startsWith(prefix));
    expect(own.sort()).toEqual([...named, ...manifests].sort());
  });

  it('fail at once if the key of an SFTP server has changed, and mail', async () => {
    const destination = await world.create({ kind: 'sftp', sftp: sftp() });
    await sshd.changeHostKey();
    const run = await world.run(destination.id);
    expect(run).toMatchObject({
      state: 'failed',
      attempt: 1,
      error: { code: 'host_key_changed', message: expect.stringContaining(sshd.hostKey) },
    });
    const mails = await server.dataSource.query(
      `SELECT kind FROM mails WHERE tenant_id = $1 AND kind LIKE 'alert_export_failing%'`,
      [world.projectId],
    );
    expect(mails).toEqual([{ kind: 'alert_export_failing_problem' }]);
  });
});
