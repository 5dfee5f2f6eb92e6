import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from './patient-server.js';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Exactly the bytes that were sent. */
  raw: Buffer;
  /** The same as text. */
  body: string;
}

/** Answers the request that came as number `count`, from 1. Leaving the response alone makes the endpoint hang. */
export type ReceiverAnswer = (response: ServerResponse, count: number) => void;

export interface Receiver {
  url: string;
  requests: ReceivedRequest[];
  /** Emits `request` after each one. */
  events: EventEmitter;
  /** Sets the answer from now on; default 200. */
  answerWith(answer: ReceiverAnswer): void;
  /** Waits until so many requests have come in all. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Answers with a status and no body. */
export function status(code: number, headers: Record<string, string> = {}): ReceiverAnswer {
  return (response) => response.writeHead(code, headers).end();
}

/** A backend that records the webhooks it gets. */
export async function startReceiver(): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const events = new EventEmitter();
  let answer: ReceiverAnswer = (response) => response.end('ok');
  const server = createServer(patientServer, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const { method = '', url: path = '', headers } = request;
      requests.push({ method, path, headers, raw, body: raw.toString('utf8') });
      answer(response, requests.length);
      events.emit('request');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests,
    events,
    answerWith: (next) => (answer = next),
    received: async (count) => {
      while (requests.length < count) await once(events, 'request');
    },
    close: async () => {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
