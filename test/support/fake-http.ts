import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from './patient-server.js';

export interface FakeCall {
  method: string;
  /** As it came, still encoded. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
}

export interface FakeAnswer {
  status: number;
  body?: object | string;
  headers?: Record<string, string>;
  /** Closes the connection instead, or never answers. */
  instead?: 'reset' | 'hang';
}

/** A server of a store, in this process. */
export abstract class FakeHttp {
  readonly calls: FakeCall[] = [];
  /** Answers in place of the real one; undefined: the real one. */
  interfere: (call: FakeCall) => FakeAnswer | undefined = () => undefined;
  url = '';
  /** Delay of an answer. */
  latencyMs = 0;
  private server: Server | null = null;

  async start(): Promise<void> {
    this.server = createServer(
      patientServer,
      (request, response) => void this.serve(request, response),
    ).listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    if (!this.server) return;
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  protected abstract answer(call: FakeCall): FakeAnswer | Promise<FakeAnswer>;

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'http://fake');
    const call = { method: request.method ?? '', path, query, headers: request.headers };
    this.calls.push(call);
    const { status, body = {}, headers, instead } = this.interfere(call) ?? (await this.answer(call));
    if (instead === 'hang') return;
    if (instead === 'reset') {
      request.socket.destroy();
      return;
    }
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const write = (): void =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
    if (this.latencyMs > 0) setTimeout(write, this.latencyMs);
    else write();
  }
}
