import { EventEmitter, once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret } from '../../libs/kernel/index.js';
import { signedHeaders } from '../../src/webhooks/webhooks/deliveries/delivery-request.js';
import { createSecretKey, signUp } from '../support/arrange.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { recordEvent } from '../support/webhook-outbox.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';

interface ListenOptions {
  server: string;
  key: string;
  project?: string;
  types: string[];
  forwardTo?: string;
  secret: string;
  sign: (event: { id: string; payload: string }, secret: string) => Record<string, string>;
  print: (line: string) => void;
  signal: AbortSignal;
}

describe('listening to webhooks without a public URL', () => {
  let server: TestServer;
  let endpoint: Receiver;
  let listen: (options: ListenOptions) => Promise<void>;
  let projectId: string;
  let key: string;

  beforeAll(async () => {
    // The script has no types.
    const script = '../../scripts/webhooks-listen.mjs';
    ({ listen } = (await import(script)) as { listen: typeof listen });
    server = await startTestServer({ env: { SERVICE_ALLOW_SIGNUP: 'true' } });
    endpoint = await startReceiver();
    const owner = await signUp(server);
    projectId = owner.projectId;
    ({ key } = await createSecretKey(owner.session, projectId));
  });

  afterAll(async () => {
    await endpoint.close();
    await server.close();
  });

  it('prints events and forwards them once each, signed, whenever they are committed', async () => {
    const secret = newWebhookSecret();
    const lines: string[] = [];
    const output = new EventEmitter();
    const printed = async (count: number): Promise<void> => {
      while (lines.length < count) await once(output, 'line');
    };
    const stop = new AbortController();
    const done = listen({
      server: server.baseUrl,
      key,
      types: ['RENEWAL'],
      forwardTo: endpoint.url,
      secret,
      sign: (event, secretKey) =>
        signedHeaders(
          { eventId: event.id, replay: false },
          { signing: [secretKey], authorization: null },
          Math.floor(Date.now() / 1000),
          event.payload,
        ),
      print: (line) => {
        lines.push(line);
        output.emit('line');
      },
      signal: stop.signal,
    });
    await printed(1);
    expect(lines).toEqual([`listening to project ${projectId} at ${server.baseUrl}`]);
    // The script goes by the time in the server's answers, which is the real one.
    server.clock.setMs(Date.now() + 1000);
    const first = await recordEvent(server, projectId);
    await recordEvent(server, projectId, { type: 'EXPIRATION' });
    await endpoint.received(1);
    // It began before the other one, and its transaction ended later.
    server.clock.advanceMs(-500);
    const late = await recordEvent(server, projectId);
    await endpoint.received(2);
    await printed(3);
    stop.abort();
    await done;
    const events = endpoint.requests.map(({ body, headers }) => {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return (JSON.parse(body) as { event: { id: string } }).event.id;
    });
    expect(events).toEqual([first, late]);
    expect(lines.slice(1)).toEqual(
      [first, late].map((id) => expect.stringMatching(new RegExp(`RENEWAL ${id}  -> 200 in \\d+ ms$`))),
    );
  });

  it('ends with the reason when the key is refused', async () => {
    const options = { server: server.baseUrl, key: 'sk_wrong', types: [], secret: '', sign: () => ({}) };
    const { signal } = new AbortController();
    await expect(listen({ ...options, print: () => undefined, signal })).rejects.toThrow('401 ');
  });
});
