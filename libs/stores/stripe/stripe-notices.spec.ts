import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { patientServer } from '../../../test/support/patient-server.js';
import { CircuitBreaker } from '../circuit-breaker.js';
import { StripeApi } from './stripe-api.js';

test("keeps a notice in a response of Stripe out of the server's log", async () => {
  const server = createServer(patientServer, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'stripe-notice': 'Upgrade now!' });
    response.end('{"object":"list","data":[],"has_more":false}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  try {
    const api = await StripeApi.create(
      { appId: 'app', secretKey: 'sk_test_1' },
      {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        deadlineMs: 20_000,
        breaker: new CircuitBreaker(() => 1),
      },
    );
    expect(await api.sessionOfPayment('pi_1')).toBeNull();
    expect(warn).not.toHaveBeenCalled();
  } finally {
    warn.mockRestore();
    server.closeAllConnections();
    server.close();
  }
});
