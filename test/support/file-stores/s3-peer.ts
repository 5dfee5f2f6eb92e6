import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request as forward, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesIn } from './files-in.js';
import { startProgram, stopProgram } from './programs.js';
import { problemOfRequest } from './s3-signature.js';

export interface SeenRequest {
  method: string;
  key: string;
  query: Record<string, string>;
  headers: IncomingMessage['headers'];
  host: string;
}

export type S3Fault =
  | { status: number; code?: string; message?: string; headers?: Record<string, string>; body?: string }
  /** `cut`: the connection ends before the request is complete; `lost`: after the store has done its work. */
  | 'cut'
  | 'lost'
  /** Accepts the request and never answers. */
  | 'silent'
  /** Never answers, but reports once the store has done its work. */
  | { onStored: () => void };

export interface S3Peer {
  endpoint: string;
  port: number;
  credentials: { accessKeyId: string; secretAccessKey: string };
  /** All requests, in order. */
  requests: SeenRequest[];
  /** Ids of uploads that are neither complete nor aborted. */
  openUploads: Set<string>;
  /** What happens to a request instead of the usual; undefined for the usual. */
  fault: (request: SeenRequest) => S3Fault | undefined;
  /** How the store treats `If-None-Match`. */
  conditions: 'known' | 'ignored' | 'not_implemented';
  /** All files of a bucket, by key. */
  files(bucket: string): Promise<Map<string, Buffer>>;
  /** Ends the connections of requests that it never answers. */
  hangUp(): void;
  close(): Promise<void>;
}

/** How s3rver calls the file in which it stores an object. */
const OBJECT_ENDING = '._S3rver_object';

/** s3rver knows this key id only. */
const CREDENTIALS = {
  accessKeyId: 'S3RVER',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function errorBody(code: string, message: string): string {
  return `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
}

/**
 * s3rver behind a proxy that checks every signature and hash, and adds what s3rver lacks: aborted uploads, conditions,
 * buckets in host names, and faults on demand.
 */
export async function startS3Peer(buckets: readonly string[] = ['exports']): Promise<S3Peer> {
  const directory = await mkdtemp(join(tmpdir(), 's3-peer-'));
  const program = fileURLToPath(new URL('s3rver.mjs', import.meta.url));
  const { child, match } = await startProgram(process.execPath, [program, directory, ...buckets], /^(\d+)$/);
  const storePort = Number(match[1]);

  const unanswered = new Set<Socket>();
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const peer: S3Peer = {
    endpoint: `http://127.0.0.1:${port}`,
    port,
    credentials: CREDENTIALS,
    requests: [],
    openUploads: new Set(),
    fault: () => undefined,
    conditions: 'known',
    files: async (bucket) => {
      const folder = join(directory, bucket);
      const names = (await filesIn(folder)).filter((name) => name.endsWith(OBJECT_ENDING));
      const read = names.map(async (name): Promise<[string, Buffer]> => [
        name.slice(0, -OBJECT_ENDING.length),
        await readFile(join(folder, name)),
      ]);
      return new Map(await Promise.all(read));
    },
    hangUp() {
      for (const socket of unanswered) socket.destroy();
      unanswered.clear();
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await stopProgram(child);
      await rm(directory, { recursive: true, force: true });
    },
  };

  /** Path-style, whatever the client used. */
  function pathOf(request: IncomingMessage): string {
    const bucket = /^([^.]+)\.[a-z]/.exec(request.headers.host ?? '')?.[1];
    return bucket !== undefined && buckets.includes(bucket)
      ? `/${bucket}${request.url}`
      : (request.url ?? '/');
  }

  function toStore(
    method: string,
    path: string,
    headers: IncomingMessage['headers'],
    body: Buffer,
  ): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }> {
    return new Promise((resolve, reject) => {
      const own = { ...headers, host: `127.0.0.1:${storePort}` };
      forward({ host: '127.0.0.1', port: storePort, method, path, headers: own }, (response) => {
        bodyOf(response).then(
          (bytes) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes }),
          reject,
        );
      })
        .on('error', reject)
        .end(body);
    });
  }

  async function exists(path: string, headers: IncomingMessage['headers']): Promise<boolean> {
    const { pathname } = new URL(path, 'http://store');
    const { authorization, 'x-amz-date': date, 'x-amz-content-sha256': hash } = headers;
    const probe = { authorization, 'x-amz-date': date, 'x-amz-content-sha256': hash };
    return (await toStore('HEAD', pathname, probe, Buffer.alloc(0))).status === 200;
  }

  function fail(response: ServerResponse, status: number, code: string, message = ''): void {
    response.writeHead(status, { 'content-type': 'application/xml' }).end(errorBody(code, message));
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? '';
    const path = pathOf(request);
    const url = new URL(path, 'http://store');
    const query = Object.fromEntries(url.searchParams);
    const key = decodeURIComponent(url.pathname.split('/').slice(2).join('/'));
    const seen = { method, key, query, headers: request.headers, host: request.headers.host ?? '' };
    peer.requests.push(seen);
    const fault = peer.fault(seen);
    if (fault === 'cut') {
      request.once('data', () => request.socket.destroy());
      return;
    }
    const body = await bodyOf(request);
    if (fault === 'silent') {
      unanswered.add(request.socket);
      return;
    }
    if (typeof fault === 'object' && 'status' in fault) {
      const { status, code = 'Fault', message = '', headers, body: text } = fault;
      response.writeHead(status, headers).end(text ?? errorBody(code, message));
      return;
    }
    const problem = await problemOfRequest(request, body, CREDENTIALS);
    if (problem) return fail(response, 403, problem, 'The request was not signed correctly.');
    const uploadId = query['uploadId'];
    if (uploadId !== undefined && !peer.openUploads.has(uploadId)) {
      return fail(response, 404, 'NoSuchUpload', 'The upload does not exist.');
    }
    if (method === 'DELETE' && uploadId !== undefined) {
      peer.openUploads.delete(uploadId);
      return void response.writeHead(204).end();
    }
    if (request.headers['if-none-match'] !== undefined) {
      if (peer.conditions === 'not_implemented') return fail(response, 501, 'NotImplemented');
      if (peer.conditions === 'known' && (await exists(path, request.headers))) {
        return fail(response, 412, 'PreconditionFailed', 'A condition does not hold.');
      }
    }
    const stored = await toStore(method, path, request.headers, body);
    if (method === 'POST' && query['uploads'] !== undefined) {
      const id = /<UploadId>([^<]+)</.exec(stored.body.toString())?.[1];
      if (id) peer.openUploads.add(id);
    }
    if (method === 'POST' && uploadId !== undefined && stored.status === 200)
      peer.openUploads.delete(uploadId);
    if (fault === 'lost') return void request.socket.destroy();
    if (fault !== undefined) {
      unanswered.add(request.socket);
      return fault.onStored();
    }
    delete stored.headers['transfer-encoding'];
    response.writeHead(stored.status, stored.headers).end(stored.body);
  }

  return peer;
}
