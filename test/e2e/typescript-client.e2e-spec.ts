import { inspect } from 'node:util';
import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import { createSecretKey } from '../support/arrange.js';
import { type BuiltClient, builtClient, checkingFetch, runExamples } from '../support/built-client.js';
import { startReceiver, status } from '../support/webhook-receiver.js';
import { shop } from '../support/world.js';

describe('the TypeScript client', () => {
  const store = shop();
  let built: BuiltClient;
  let key: string;
  let client: any;
  let project: { client: any; project_id: string };

  const clientWith = (options: object = {}) =>
    built.tenure.createTenure({
      baseUrl: store.server.baseUrl,
      apiKey: key,
      fetch: checkingFetch(store.server),
      ...options,
    });

  beforeAll(async () => {
    built = await builtClient();
    key = (await createSecretKey(store.session, store.projectId)).key;
    client = clientWith();
    project = { client, project_id: store.projectId };
  });

  it('arranges a catalog', async () => {
    const { calls } = built;
    const [appId] = await calls.runListApps(project);
    expect(appId).toBe(store.appId);
    const productId = await calls.runCreateProduct(project, appId);
    expect(await calls.runListProducts(project, appId)).toContain('gold_monthly');
    const entitlementId = await calls.runCreateEntitlement(project);
    expect(await calls.runAttachEntitlementProducts(project, entitlementId, [productId])).toBe('gold');
    const offeringId = await calls.runCreateOffering(project);
    const packageId = await calls.runCreatePackage(project, offeringId);
    expect(await calls.runAttachPackageProducts(project, packageId, productId)).toBe(packageId);
    expect(await calls.runUpdateOffering(project, offeringId)).toBe(true);
    const { data } = await built.tenure.getOffering({
      client,
      path: { project_id: store.projectId, offering_id: offeringId },
    });
    expect(data).toMatchObject({ lookup_key: 'spring', metadata: { color: 'green' } });
  });

  it('serves a customer from the first attribute to a transfer', async () => {
    const { calls } = built;
    const id = 'ada %2F ü?#';
    const entitlement_id = store.entitlements.pro.id;
    expect(await calls.runCreateCustomer(project, id)).toBe(id);
    expect(await calls.runSetCustomerAttributes(project, id)).toContain('plan');
    expect(await calls.runGetCustomer(project, id)).toBeLessThanOrEqual(store.clock.nowMs());
    const expires_at = store.clock.nowMs() + 86_400_000;
    await calls.runGrantEntitlement(project, id, { entitlement_id, expires_at });
    expect(await calls.runListActiveEntitlements(project, id)).toEqual([entitlement_id]);
    await calls.runRevokeGrantedEntitlement(project, id, entitlement_id);
    expect(await calls.runListActiveEntitlements(project, id)).toEqual([]);
    const product_id = store.products.monthly.id;
    await calls.runCreateTestPurchase(project, { app_user_id: id, product_id });
    const subscriptions = await calls.runListCustomerSubscriptions(project, id);
    const bought = subscriptions.find((subscription: { status: string }) => subscription.status === 'active');
    expect(bought).toBeDefined();
    expect(await calls.runListSubscriptionTransactions(project, bought.id)).toBe(1);
    await calls.runCreateCustomer(project, 'bob');
    expect(await calls.runTransferCustomer(project, id, 'bob')).toBe('bob');
    expect(await calls.runListActiveEntitlements(project, 'bob')).toEqual([entitlement_id]);
  });

  it('reads charts and the overview', async () => {
    expect(await built.calls.runGetChart(project)).toBe('chart_data');
    expect(await built.calls.runGetOverviewMetrics(project)).toContain('mrr');
  });

  it('sends a list in one parameter, separated by commas', async () => {
    const urls: Parameters<typeof fetch>[0][] = [];
    const check = checkingFetch(store.server);
    const noting = clientWith({
      fetch: (...request: Parameters<typeof fetch>) => {
        urls.push(request[0]);
        return check(...request);
      },
    });
    const { data } = await built.tenure.getChartData({
      client: noting,
      path: { project_id: store.projectId, chart_name: 'revenue' },
      query: { start_date: '2026-01-01', end_date: '2026-01-02', aggregate: ['average', 'total'] },
    });
    expect(data.values).toEqual([]);
    expect(Object.keys(data.summary).sort()).toEqual(['average', 'total']);
    expect(new URL(urls[0] as string).searchParams.getAll('aggregate')).toEqual(['average,total']);
  });

  it.each([undefined, {}, { store_information: { duration: 'ONE_MONTH' } }])(
    'sends the optional body %j of an operation',
    async (body) => {
      const path = { project_id: store.projectId, product_id: store.products.monthly.id };
      const call = built.tenure.createProductInStore({ client, path, body });
      await expect(call).rejects.toMatchObject({ status: 422, type: 'unprocessable_entity_error' });
    },
  );

  it("calls operations by the vendor's names too", async () => {
    const { tenure } = built;
    expect(tenure.listSubscriptions).toBe(tenure.listCustomerSubscriptions);
    const path = { project_id: store.projectId, customer_id: 'eve' };
    await tenure.createCustomer({ client, path, body: { id: 'eve' } });
    expect((await tenure.listPurchases({ client, path })).data.items).toEqual([]);
  });

  it('iterates over all pages', async () => {
    const { data } = await built.tenure.listProducts({
      client,
      path: { project_id: store.projectId },
      query: { limit: 100 },
    });
    const all = data.items.map((product: { store_identifier: string }) => product.store_identifier);
    expect(all.length).toBeGreaterThan(4);
    expect(await built.calls.runPaginate(project)).toEqual(all);
  });

  it('repeats a write whose answer was lost, and the server runs it once', async () => {
    const check = checkingFetch(store.server);
    const answers: Response[] = [];
    const losingFetch = async (...request: Parameters<typeof fetch>): Promise<Response> => {
      const answer = await check(...request);
      answers.push(answer);
      const lost = new Response(null, { status: 503, headers: { 'retry-after': '0' } });
      return answers.length === 1 ? lost : answer;
    };
    const path = { project_id: store.projectId };
    const body = { lookup_key: 'silver', display_name: 'Silver' };
    const repeating = clientWith({ fetch: losingFetch });
    const { data, response } = await built.tenure.createEntitlement({ client: repeating, path, body });
    expect(answers.map((answer) => answer.status)).toEqual([201, 201]);
    expect(response.headers.get('idempotent-replayed')).toBe('true');
    const { data: list } = await built.tenure.listEntitlements({ client, path });
    const created = list.items.filter(({ lookup_key }: { lookup_key: string }) => lookup_key === 'silver');
    expect(created.map(({ id }: { id: string }) => id)).toEqual([data.id]);
  });

  it('verifies what webhooks get', async () => {
    const { calls, webhooks } = built;
    const endpoint = await startReceiver();
    try {
      const { id, secret } = await calls.runCreateWebhookIntegration(project, endpoint.url);
      await calls.runSendWebhookTest(project, id);
      await store.server.app.get(DeliveryDispatcherService).drain();
      const [delivery] = endpoint.requests;
      const options = { nowMs: () => store.clock.nowMs() };
      const { event } = await webhooks.verifyWebhook(delivery?.raw, delivery?.headers, secret, options);
      expect(event).toMatchObject({ type: 'TEST', store: 'TEST_STORE' });
      const forged = Buffer.from(`${delivery?.body ?? ''} `);
      await expect(webhooks.verifyWebhook(forged, delivery?.headers, secret, options)).rejects.toMatchObject({
        code: 'bad_signature',
      });
      expect(await calls.runDeleteWebhookIntegration(project, id)).toBe(id);
    } finally {
      await endpoint.close();
    }
  });

  it('runs the examples of its README', async () => {
    const environment = {
      TENURE_URL: store.server.baseUrl,
      TENURE_API_KEY: key,
      TENURE_PROJECT_ID: store.projectId,
    };
    await built.tenure.createCustomer({
      client,
      path: { project_id: store.projectId },
      body: { id: 'ada' },
    });
    const outputs = await runExamples(environment);
    expect(outputs).toEqual([
      expect.stringMatching(/^\d+ \[\]$/m),
      expect.stringMatching(/^ada$/m),
      expect.stringMatching(/^409 lookup_key \S+\n.*nobody/m),
      '',
    ]);
  });

  describe('errors', () => {
    const path = () => ({ project_id: store.projectId });

    it('throws what the server answered', async () => {
      const call = built.tenure.createEntitlement({ client, path: path(), body: { lookup_key: 'x' } });
      const error = await call.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(built.tenure.TenureError);
      expect(error).toMatchObject({
        status: 400,
        type: 'parameter_error',
        param: 'display_name',
        retryable: false,
        requestId: expect.any(String),
        docUrl: expect.stringContaining('/docs/errors/parameter-error'),
        message: expect.stringContaining('display_name'),
      });
    });

    it('returns it instead with throwOnError: false', async () => {
      const result = await built.tenure.getCustomer({
        client,
        path: { ...path(), customer_id: 'nobody' },
        throwOnError: false,
      });
      expect(result.data).toBeUndefined();
      expect(result).toMatchObject({
        error: { name: 'TenureError', status: 404, type: 'resource_missing' },
        response: { status: 404 },
      });
    });

    it('refuses ids that would lead to another path', async () => {
      for (const customer_id of ['..', '.', '', undefined]) {
        const call = built.tenure.deleteCustomer({ client, path: { ...path(), customer_id } });
        await expect(call).rejects.toThrow(TypeError);
      }
      expect((await store.backend.get(store.path)).status).not.toBe(404);
    });

    it('shows the key nowhere', async () => {
      const wrong = clientWith({ apiKey: 'sk_planted_wrong_key' });
      const call = built.tenure.listProducts({ client: wrong, path: path(), throwOnError: false });
      const { error, request, response } = await call;
      expect(error).toMatchObject({ status: 401, type: 'authentication_error' });
      const shown = inspect({ wrong, error, request, response, config: wrong.getConfig() }, { depth: 12 });
      expect(shown).not.toContain('planted');
      expect(() => clientWith({ apiKey: 'sk_planted\nkey' })).toThrow(/^(?!.*planted)/);
    });

    it('creates requests without a client, which Deno would take for one of its own', async () => {
      const { Request: Original } = globalThis;
      const created: object[] = [];
      globalThis.Request = class extends Original {
        constructor(input: string, init: object) {
          super(input, init);
          created.push(init);
        }
      };
      try {
        await built.tenure.listProducts({ client, path: path() });
      } finally {
        globalThis.Request = Original;
      }
      expect(created).toEqual([expect.not.objectContaining({ client: expect.anything() })]);
    });

    it('follows no redirect, which could take the key elsewhere', async () => {
      const [server, target] = await Promise.all([startReceiver(), startReceiver()]);
      try {
        server.answerWith(status(307, { location: target.url }));
        const redirected = built.tenure.createTenure({ baseUrl: server.url, apiKey: key });
        const body = { email: 'ada@example.com', password: 'x' };
        await expect(built.tenure.login({ client: redirected, body })).rejects.toMatchObject({
          type: 'connection_error',
        });
        expect([server, target].map(({ requests }) => requests.length)).toEqual([1, 0]);
      } finally {
        await Promise.all([server.close(), target.close()]);
      }
    });

    it('needs a complete URL, and https except on this machine', () => {
      const { createTenure } = built.tenure;
      const create =
        (baseUrl: string, more: object = {}) =>
        () =>
          createTenure({ baseUrl, apiKey: key, ...more });
      expect(create('http://purchases.example.com')).toThrow('is not https');
      expect(create('http://purchases.example.com', { allowInsecure: true })).not.toThrow();
      expect(create('https://purchases.example.com/tenure/')).not.toThrow();
      expect(create('purchases.example.com')).toThrow('baseUrl is not a URL');
      expect(create('https://ada:secret@purchases.example.com')).toThrow(/^(?!.*secret)/);
    });

    it.each(['', '/', '/tenure', '/tenure/'])('finds a server below %j', async (base) => {
      const server = await startReceiver();
      try {
        server.answerWith((response) => {
          response.setHeader('content-type', 'application/json');
          response.end('{"object":"list","items":[],"next_page":null}');
        });
        const { origin } = new URL(server.url);
        const below = built.tenure.createTenure({ baseUrl: origin + base, apiKey: key });
        await built.tenure.listProducts({ client: below, path: { project_id: 'p' }, query: { limit: 2 } });
        const expected = `${base.replace(/\/$/, '')}/v2/projects/p/products?limit=2`;
        expect(server.requests.map((request) => request.path)).toEqual([expected]);
      } finally {
        await server.close();
      }
    });
  });
});
