import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Call, DestinationType } from '../../../libs/destinations/index.js';
import type { FakeAnswer } from '../fake-http.js';
import { patientServer } from '../patient-server.js';
import { FakeAmplitude, FakeMixpanel, FakePostHog, FakeSegment } from './analytics-fakes.js';
import { FakeAdjust, FakeAppsFlyer, FakeFirebase, FakeMeta } from './attribution-fakes.js';
import { FakeAddress, FakeDiscord, FakeSlack } from './chat-fakes.js';
import type { FakeTool } from './fake-tool.js';
import { FakeBraze, FakeCustomerIo } from './messaging-fakes.js';

export function fakeTools(nowMs: () => number = Date.now) {
  return {
    segment: new FakeSegment(nowMs),
    amplitude: new FakeAmplitude(nowMs),
    mixpanel: new FakeMixpanel(nowMs),
    posthog: new FakePostHog(nowMs),
    customerio: new FakeCustomerIo(nowMs),
    braze: new FakeBraze(nowMs),
    firebase: new FakeFirebase(nowMs),
    appsflyer: new FakeAppsFlyer(nowMs),
    adjust: new FakeAdjust(nowMs),
    meta: new FakeMeta(nowMs),
    slack: new FakeSlack(nowMs),
    discord: new FakeDiscord(nowMs),
    http: new FakeAddress(nowMs),
  } satisfies Record<DestinationType, FakeTool>;
}

/** The answer of a tool to a request, without a network. */
export function answerTo(tool: FakeTool, { method, url, headers, body }: Call): FakeAnswer {
  const { pathname, searchParams } = new URL(url);
  return tool.receive({ method, path: pathname, query: searchParams, headers, body });
}

/** All tools on one server: the tool `segment` is at `<url>/segment/...`, in place of its own host. */
export class DestinationFakes {
  tools: ReturnType<typeof fakeTools>;
  url = '';
  private server: Server | null = null;

  constructor(private readonly nowMs?: () => number) {
    this.tools = fakeTools(nowMs);
  }

  /** Forgets every request and script. */
  reset(): void {
    this.tools = fakeTools(this.nowMs);
  }

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

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://fake');
    const [, type = '', ...path] = pathname.split('/');
    const tool = Object.hasOwn(this.tools, type) ? this.tools[type as DestinationType] : null;
    const body = await text(request);
    const headers = request.headers as Record<string, string | undefined>;
    const received = { method: request.method ?? '', path: `/${path.join('/')}`, query, headers, body };
    const answer = tool?.receive(received) ?? { status: 404 };
    if (answer.instead === 'hang') return;
    if (answer.instead === 'reset') {
      request.socket.destroy();
      return;
    }
    const answered = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {});
    const isEmpty = answer.status === 204;
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(isEmpty ? undefined : answered);
  }
}
