import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from '../patient-server.js';
import { ApiClient } from '../api-client.js';

/** Tests for test/e2e/failed-tests.e2e-spec.ts, which runs them to read what Jest prints. */
const server = createServer(patientServer, (request, response) => {
  response.writeHead(request.method === 'GET' ? 200 : 422, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ message: `answer to ${request.method}` }));
});
const validator = { problems: () => [] } as never;
const writes = { note: () => undefined } as never;
let client: ApiClient;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  client = new ApiClient(`http://127.0.0.1:${port}`, validator, writes).withKey('sk_secret');
});

afterAll(() => server.close());

it('passes', async () => {
  expect((await client.get('/v2/passing')).status).toBe(200);
});

it('fails on an assertion', async () => {
  await client.get('/v2/earlier');
  const answer = await client.post('/v2/things?dry=true', { color: 'red' });
  expect(answer.status).toBe(201);
});

it('fails without a request', () => {
  throw new Error('before any request');
});
