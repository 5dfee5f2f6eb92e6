import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ExportRunsJob } from '../../../src/exports/scheduled-exports/runs/export-runs.job.js';
import type { ApiClient, Json } from '../api-client.js';
import type { SignedUp } from '../arrange.js';
import type { S3Peer } from '../file-stores/s3-peer.js';
import type { TestServer } from '../test-server.js';

export const transactions = { name: 'transactions', version: 5 };

/** A destination in the bucket `exports` of a peer. */
export function s3Destination({ endpoint, credentials }: S3Peer) {
  const { accessKeyId, secretAccessKey } = credentials;
  return {
    kind: 's3',
    s3: { bucket: 'exports', endpoint, access_key_id: accessKeyId, secret_access_key: secretAccessKey },
  };
}

/** Exports of one project, through its API. */
export class ExportsWorld {
  readonly path: string;

  constructor(
    readonly server: TestServer,
    readonly owner: SignedUp,
    private readonly client: ApiClient = owner.session,
  ) {
    this.path = `/v2/projects/${owner.projectId}/integrations/exports`;
  }

  get projectId(): string {
    return this.owner.projectId;
  }

  /** Creates a destination and an export to it that runs on request. */
  async create(destination: object, change: object = {}): Promise<Json> {
    const made = await this.post('/destinations', { name: 'Place', ...destination }, 201);
    return this.post(
      '',
      {
        name: 'Export',
        destination_id: made.id,
        datasets: [transactions],
        format: 'csv',
        schedule: { frequency: 'manual' },
        ...change,
      },
      201,
    );
  }

  async post(route: string, body: object, status = 200): Promise<Json> {
    this.server.clock.advanceMs(1);
    const answer = await this.client.post(`${this.path}${route}`, body);
    if (answer.status !== status) throw new Error(`${answer.status}: ${answer.text}`);
    return answer.body;
  }

  async get(route: string): Promise<Json> {
    return (await this.client.get(`${this.path}${route}`)).body;
  }

  request(exportId: string, body: object = {}): Promise<Json> {
    return this.post(`/${exportId}/actions/run`, body, 202);
  }

  /** Requests a run and works on it until it has ended or waits. */
  async run(exportId: string, body: object = {}): Promise<Json> {
    const { id } = await this.request(exportId, body);
    await this.drain();
    return this.get(`/${exportId}/runs/${id}`);
  }

  drain(): Promise<void> {
    return this.server.app.get(ExportRunsJob).drain();
  }
}

export interface DeliveredFile extends Json {
  text: string;
}

/** The manifest at the end of a run, with the text of each file, once every file is what the manifest says. */
export async function delivered(
  read: (key: string) => Promise<Buffer>,
  manifestKey: string,
): Promise<{ manifest: Json; files: DeliveredFile[] }> {
  const manifest = JSON.parse((await read(manifestKey)).toString());
  const files: DeliveredFile[] = [];
  for (const file of manifest.files as Json[]) {
    const bytes = await read(file.key);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (bytes.length !== file.bytes || sha256 !== file.sha256) throw new Error(`${file.key} is another file`);
    const text = file.format === 'csv' ? gunzipSync(bytes).toString() : '';
    files.push({ ...file, text });
  }
  return { manifest, files };
}

export function readerOf(folder: string): (key: string) => Promise<Buffer> {
  return (key) => readFile(join(folder, key));
}

/** The key of the manifest of a run. */
export function manifestOf(prefix: string, run: Json): string {
  const second = Math.floor(run.snapshot_at / 1000);
  const day = new Date(second * 1000).toISOString().slice(0, 10);
  return `${prefix === '' ? '' : `${prefix}/`}${day}/manifest_${second}.json`;
}
