import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from './patient-server.js';
import { REDIRECT_URI } from './arrange-oauth.js';

interface DocumentAnswer {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  /** Fields in place of the right ones. */
  change?: object;
}

export interface ClientDocuments {
  /** The id of the client. */
  url: string;
  readonly calls: number;
  change(fields: object): void;
  answer(answer: DocumentAnswer): void;
  stop(): Promise<void>;
}

/** Serves the metadata document of one OAuth client. */
export async function startClientDocuments(): Promise<ClientDocuments> {
  let calls = 0;
  let answer: DocumentAnswer = {};
  const server = createServer(patientServer, (request, response) => {
    calls++;
    const { status = 200, type = 'application/json', headers = {}, change } = answer;
    response.writeHead(status, { 'content-type': type, ...headers });
    response.end(
      JSON.stringify({ client_id: url, client_name: 'Described', redirect_uris: [REDIRECT_URI], ...change }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/client.json`;
  return {
    url,
    get calls() {
      return calls;
    },
    change: (change) => {
      answer = { change };
    },
    answer: (next) => {
      answer = next;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
