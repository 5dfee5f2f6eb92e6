import { parse } from 'csv-parse/sync';
import { startServerProcess } from '../server-process.js';
import type { Json } from '../api-client.js';
import { databaseSettings } from '../database/index.js';
import { expireLeases } from '../leases.js';
import { delivered, type ExportsWorld, manifestOf } from './arrange-exports.js';
import { changeFixtureRows } from './report-rows.js';

/** Where in a run its process is killed. */
export interface KillPoint {
  name: string;
  destination: object;
  /** The attempt that succeeds. The run starts again only if its files were not all written. */
  attempt: 1 | 2;
}

/** An export for each point. Its files have the number of the point as their prefix. */
interface KilledExport extends KillPoint {
  id: string;
  prefix: string;
  /** A full one, the one that is killed, and one after it. */
  runs: Json[];
}

/** Incremental runs whose process is killed at one point each, and which another process completes. */
export class KilledRuns {
  private exports: KilledExport[] = [];
  private readonly left = new Set<string>();
  private allHeld = (): void => undefined;
  private readonly held = new Promise<void>((resolve) => (this.allHeld = resolve));

  constructor(private readonly world: ExportsWorld) {}

  /** Creates the exports, completes a first run of each, changes rows, and requests the next runs. */
  async arrange(points: KillPoint[]): Promise<void> {
    for (const [index, point] of points.entries()) {
      const prefix = `${index}`;
      const { id } = await this.world.create({ ...point.destination, prefix });
      this.exports.push({ ...point, id, prefix, runs: [] });
      this.left.add(point.name);
    }
    await this.requestAll();
    await this.world.drain();
    await changeFixtureRows(this.world.server.dataSource, this.world.projectId);
    await this.requestAll();
  }

  /** The name of the point of a file, if its process has not reached it yet. */
  pointOf(key: string): string | undefined {
    const prefix = key.split('/')[0];
    const name = this.exports.find((one) => one.prefix === prefix)?.name;
    return name !== undefined && this.left.has(name) ? name : undefined;
  }

  /** The process has reached a point and cannot continue. */
  hold(point: string): void {
    this.left.delete(point);
    if (this.left.size === 0) this.allHeld();
  }

  /** Starts a process for all runs at once, and kills it when each is held at its point. */
  async kill(env: NodeJS.ProcessEnv = {}): Promise<void> {
    const settings = databaseSettings(this.world.server.databaseUrl);
    const killed = await startServerProcess(settings.DATABASE_URL ?? '', {
      ...settings,
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
      SERVICE_ALLOW_PRIVATE_NETWORKS: 'true',
      SERVICE_DEMO: 'false',
      SERVICE_LOG_LEVEL: 'silent',
      SERVICE_EXPORT_CONCURRENCY: '16',
      // Each run reads from a snapshot of its own.
      SERVICE_DATABASE_POOL_SIZE: '45',
      SERVICE_DATABASE_REPORT_CONNECTIONS: '20',
      ...env,
    });
    await this.held;
    process.kill(killed.pid, 'SIGKILL');
    await killed.stop();
  }

  /** Completes the runs in this process, and one more run of each export. */
  async complete(): Promise<void> {
    await expireLeases(this.world.server, 'export_runs');
    await this.world.drain();
    await this.requestAll();
    await this.world.drain();
  }

  /** Compares what each point left behind with what an uninterrupted run would have delivered. */
  async check(files: ReadonlyMap<string, Buffer>): Promise<void> {
    const read = (key: string): Promise<Buffer> => Promise.resolve(files.get(key) ?? Buffer.from(''));
    const found = new Map<string, unknown>();
    const expected = new Map<string, unknown>();
    for (const { name, attempt, prefix, id, runs } of this.exports) {
      const ended = await Promise.all(runs.map((run) => this.world.get(`/${id}/runs/${run.id}`)));
      const manifestKeys = ended.map((run) => manifestOf(prefix, run));
      const deliveries = await Promise.all(
        manifestKeys.map((key) => delivered(read, key).catch(() => ({ manifest: { files: [] }, files: [] }))),
      );
      const entries = deliveries.map(({ manifest }) => manifest.files as Json[]);
      found.set(name, {
        runs: ended.map((run) => `${run.state} ${run.attempt}`),
        keys: [...files.keys()].filter((key) => key.startsWith(`${prefix}/`)).sort(),
        files: entries.map((list) =>
          list.map((file) => [file.dataset, file.rows, file.from_seq, file.to_seq].join(' ')),
        ),
        rows: folded(deliveries.flatMap((delivery) => delivery.files as Json[])),
      });
      expected.set(name, {
        runs: ['succeeded 1', `succeeded ${attempt}`, 'succeeded 1'],
        keys: [...entries.flatMap((list) => list.map(({ key }) => key as string)), ...manifestKeys].sort(),
        files: [
          ['transactions 13 0 14'],
          ['deletions 1 14 16', 'transactions 1 14 16'],
          ['deletions 0 16 16', 'transactions 0 16 16'],
        ],
        rows: await this.currentRows(),
      });
    }
    expect(found).toEqual(expected);
  }

  private async requestAll(): Promise<void> {
    for (const { id, runs } of this.exports) runs.push(await this.world.request(id));
  }

  private async currentRows(): Promise<string[]> {
    const rows = await this.world.server.dataSource.query<{ id: string; country: string | null }[]>(
      `SELECT store_transaction_id AS id, country FROM report_transactions WHERE project_id = $1 AND NOT is_sandbox`,
      [this.world.projectId],
    );
    return rows.map(({ id, country }) => `${id} ${country ?? ''}`).sort();
  }
}

/** Transactions as a reader has them after it has applied all files in order. */
function folded(files: Json[]): string[] {
  const rows = new Map<string, string>();
  for (const { dataset, text } of files) {
    for (const line of parse<Record<string, string>>(text, { columns: true })) {
      if (dataset === 'deletions') rows.delete(JSON.parse(line.key ?? '').store_transaction_id);
      else rows.set(line.store_transaction_id ?? '', line.country ?? '');
    }
  }
  return [...rows].map(([id, country]) => `${id} ${country}`).sort();
}
