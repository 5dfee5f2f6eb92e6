import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  headers: IncomingHttpHeaders;
  /** Exactly the bytes that were sent, as text. */
  body: string;
}

export interface Receiver {
  url: string;
  requests: ReceivedRequest[];
  /** Emits `request` after each one. */
  events: EventEmitter;
  /** How to answer from now on; 200 until it is set. */
  answerWith(answer: (response: ServerResponse, count: number) => void): void;
  close(): Promise<void>;
}

/** A backend that records the webhooks it gets. */
export async function startReceiver(): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const events = new EventEmitter();
  let answer: (response: ServerResponse, count: number) => void = (response) => response.end('ok');
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      requests.push({ headers: request.headers, body });
      answer(response, requests.length);
      events.emit('request');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A failed test must not keep the run alive.
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests,
    events,
    answerWith: (next) => (answer = next),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
