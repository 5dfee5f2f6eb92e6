import { DueWorkJob } from '../../src/purchases/due-work/due-work.job.js';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import type { TestStore } from './arrange-store.js';
import type { TestServer } from './test-server.js';

/** A purchase, a webhook that fails, due work and a route that is not there: each leaves its figures in `/metrics`. */
export async function leaveFigures(server: TestServer, store: TestStore): Promise<void> {
  await store.backend.post(`${store.path}/integrations/webhooks`, {
    name: 'No customers',
    url: 'http://127.0.0.1:9/hook',
  });
  await store.sdk.post('/v1/receipts', {
    app_user_id: 'ada',
    fetch_token: `test_${server.clock.nowMs()}_a`,
    product_id: 'pro_monthly',
  });
  await server.app.get(DeliveryDispatcherService).drain();
  await server.app.get(DueWorkJob).run();
  await store.sdk.get(`/v1/nothing/${'x'.repeat(40)}`);
}
