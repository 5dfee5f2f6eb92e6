import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { DeliveryDispatcherService } from '../../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import type { ApiClient } from '../../support/api-client.js';
import { DestinationFakes } from '../../support/destination-fakes/destination-fakes.js';
import { arrangeKnownObjects, type KnownObjects } from '../../support/known-objects.js';
import { deliveriesTo, recordEvent } from '../../support/webhook-outbox.js';
import { type Receiver, startReceiver } from '../../support/webhook-receiver.js';
import { describeInBrowser } from '../chromium.js';
import { arrangeOrganization } from './arrange-organization.js';
import { plantRefundRequest } from './plant-refund-request.js';
import { type DashboardOptions, useDashboard } from './dashboard.js';
import { hostileTexts } from './hostile-texts.js';
import { hostileProblems, twoFrames } from './in-page.mjs';
import { layoutProblems } from './layout.js';
import { addressOf, dashboardRoutes } from './routes.js';
import { settled } from './screenshots.js';

const texts = Object.values(hostileTexts);
/** Cuts no pair of surrogates. */
const cut = (text: string, max: number): string => [...text].slice(0, max - 20).join('');
/** One text with everything at once: markup, a direction, marks and an endless word. */
const MIXED = `${hostileTexts['end of an attribute']}\u202e${'W'.repeat(60)}`;

describeInBrowser('hostile text', () => {
  const fakes = new DestinationFakes();
  const options: DashboardOptions = {};
  beforeAll(async () => {
    await fakes.start();
    options.env = {
      SERVICE_EE_DEV: 'true',
      SERVICE_TEST_STORES: 'true',
      SERVICE_DESTINATIONS_URL: fakes.url,
    };
  });
  const dashboard = useDashboard(options);
  afterAll(() => fakes.close());
  let receiver: Receiver;
  let known: KnownObjects;
  /** Ids of the events, by the name of the text that stands in their bodies. */
  const events: Record<string, string> = {};
  /** App user ids that the server takes, by the name of their text. */
  const customers: Record<string, string> = {};

  /** Posts each text that fits the rules of the server; gives the answers. */
  async function plant(
    client: ApiClient,
    path: string,
    max: number,
    body: (text: string, index: number) => object,
  ): Promise<{ id: string }[]> {
    const made: { id: string }[] = [];
    for (const [index, text] of texts.entries()) {
      const answer = await client.post(path, body(cut(text, max), index));
      if (answer.status < 300) made.push(answer.body as { id: string });
      else expect([400, 422]).toContain(answer.status);
    }
    return made;
  }

  /** An app of another kind of server would send these; there is no mocked answer. */
  async function plantAll(): Promise<void> {
    const { backend, session, sdk, path, appId, products, offering, entitlements } = dashboard.store;
    const names = (route: string, max: number, rest: (index: number) => object = () => ({})) =>
      plant(backend, `${path}${route}`, max, (name, index) => ({ name, ...rest(index) }));
    const display = (route: string, rest: (index: number) => object) =>
      plant(backend, `${path}${route}`, 1500, (name, index) => ({ display_name: name, ...rest(index) }));

    await names('/apps', 255, () => ({ type: 'test_store' }));
    await plant(session, `${path}/api_keys`, 255, (name) => ({ name }));
    await names('/test_clocks', 255, () => ({ frozen_time: dashboard.server.clock.nowMs() }));
    await names('/virtual_currencies', 50, (index) => ({ code: `C${index}` }));
    await display('/products', (index) => ({
      app_id: appId,
      type: 'consumable',
      store_identifier: `product_${index}`,
    }));
    await display('/entitlements', (index) => ({ lookup_key: `entitlement_${index}` }));
    await display('/offerings', (index) => ({ lookup_key: `offering_${index}` }));
    await display(`/offerings/${offering.id}/packages`, (index) => ({ lookup_key: `package_${index}` }));
    await plant(backend, `${path}/blocked_customers`, 1000, (note, index) => ({
      app_user_id: cut(`${index}${note}`, 500),
      note,
    }));

    const metadata = JSON.parse(
      `{"__proto__":{"owned":true},"constructor":"x","deep":${hostileTexts['deep JSON']}}`,
    ) as object;
    const all = Object.entries(hostileTexts).map(([name, text]) => [name, cut(text, 500)]);
    await backend.post(`${path}/offerings/${offering.id}`, {
      display_name: MIXED,
      metadata: { ...metadata, ...Object.fromEntries(all) },
    });
    for (const [route, body] of [
      [`/apps/${appId}`, { name: MIXED }],
      [`/products/${products.monthly.id}`, { display_name: MIXED }],
      [`/entitlements/${entitlements.pro.id}`, { display_name: MIXED }],
      [`/test_clocks/${known['test_clock_id']}`, { name: MIXED }],
      [`/integrations/webhooks/${known['webhook_integration_id']}`, { name: MIXED, url: receiver.url }],
      [
        `/integrations/destinations/${known['destination_id']}`,
        { name: MIXED, event_names: { expiration: MIXED } },
      ],
      ['', { name: MIXED }],
    ] as const)
      await backend.post(`${path}${route}`, body);
    await session.post('/auth/me', { name: MIXED });

    for (const [index, [name, text]] of Object.entries(hostileTexts).entries()) {
      const answer = await sdk.post(
        '/v1/receipts',
        {
          app_user_id: cut(text, 100),
          fetch_token: `test_${dashboard.server.clock.nowMs()}_hostile_${index}`,
          product_id: 'pro_monthly',
          attributes: { [cut(text, 40)]: { value: cut(text, 500), updated_at_ms: 1 } },
        },
        {
          'x-platform': 'iOS',
          'x-platform-version': cut(text, 50).replace(/[^ -~]/g, ''),
          'x-version': '5.0',
        },
      );
      if (answer.status < 300) customers[name] = cut(text, 100);
    }
    for (const [index, text] of texts.entries()) {
      const attributes = [{ name: `attribute ${index} ${cut(text, 40)}`, value: cut(text, 500) }];
      await backend.post(`${path}/customers/ada/attributes`, { attributes });
    }

    let answered = 0;
    receiver.answerWith((response) => {
      const text = texts[answered++ % texts.length]!;
      response.writeHead(500, { 'content-type': 'text/html', 'x-note': '<b onclick=owned()>' }).end(text);
    });
    fakes.tools.segment.interfere = () => ({ status: 400, body: texts[answered % texts.length] });
    for (const [name, text] of Object.entries(hostileTexts)) {
      const body = JSON.stringify({
        app_user_id: text,
        product_id: cut(text, 200),
        [cut(text, 40)]: text.startsWith('{"a"')
          ? (JSON.parse(text) as object)
          : { [text.slice(0, 100)]: [text] },
        management_url: text,
      });
      events[name] = await recordEvent(dashboard.server, dashboard.projectId, { body });
    }
    await dashboard.server.app.get(DeliveryDispatcherService).drain();
  }

  beforeAll(async () => {
    receiver = await startReceiver();
    known = {
      ...(await arrangeKnownObjects(dashboard.store, dashboard.server.clock.nowMs())),
      ...(await arrangeOrganization(dashboard)),
      refund_request_id: await plantRefundRequest(dashboard, dashboard.store.appId),
    };
    await plantAll();
  });
  afterAll(() => receiver.close());

  /** Opens each address, wide and as narrow as a zoom of 400% makes it; gives what is wrong with any. */
  async function walk(page: Page, addresses: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    const note = (text: string): void => void found.push(text);
    page.on('dialog', (dialog) => {
      note(`a dialog said ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('popup', () => note('a window opened'));
    page.on('request', (request) => {
      if (!request.url().startsWith(dashboard.url)) note(`a request to ${request.url()}`);
    });
    for (const address of addresses) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(dashboard.url + address);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await settled(page);
      const at = decodeURIComponent(address).slice(0, 80);
      const problems = await page.evaluate(hostileProblems);
      problems.push(...(await layoutProblems(page)));
      await page.setViewportSize({ width: 320, height: 640 });
      await page.evaluate(twoFrames);
      problems.push(...(await layoutProblems(page)).map((text) => `320 px: ${text}`));
      for (const problem of problems) note(`${at}: ${problem}`);
    }
    return found;
  }

  it('neither runs, nor hides, nor breaks a page, even at a zoom of 400%', async () => {
    const page = await dashboard.newPage();
    expect(
      await walk(
        page,
        dashboardRoutes.map((route) => addressOf(route, known)),
      ),
    ).toEqual([]);
  });

  it('stays text in panels beside a list, in tabs and in addresses', async () => {
    // The customer and the project that do not exist.
    dashboard.expectProblem(/status of 404 .*\/%22%3E%3Cimg/);
    const page = await dashboard.newPage();
    const deliveries = await deliveriesTo(dashboard.server, known['webhook_integration_id']!);
    const sent = await deliveriesTo(dashboard.server, known['destination_id']!);
    const mixed = encodeURIComponent(MIXED);
    const deliveryOf = (name: string): string =>
      deliveries.find((delivery) => delivery.event_id === events[name])!.id;
    const customer = (id: string): string => `customer?id=${encodeURIComponent(id)}`;
    const found = await walk(page, [
      ...['image with a handler', 'bidirectional override', 'flood of combining marks', 'prototype key'].map(
        (name) => dashboard.path(customer(customers[name]!)),
      ),
      ...['purchases', 'aliases', 'json'].map((tab) => dashboard.path(`${customer('ada')}&tab=${tab}`)),
      ...['deep JSON', 'long word', 'hidden characters', 'script address'].map((name) =>
        dashboard.path(`events?event=${events[name]}`),
      ),
      ...['foreign style', 'many lines'].map((name) =>
        dashboard.path(`webhooks/${known['webhook_integration_id']}?delivery=${deliveryOf(name)}`),
      ),
      ...['foreign style', 'many lines', 'bidirectional override'].map((name) => {
        const { id } = sent.find((delivery) => delivery.event_id === events[name])!;
        return dashboard.path(`integrations/${known['destination_id']}?delivery=${id}`);
      }),
      ...['waiting', 'replays', 'settings'].map((tab) =>
        dashboard.path(`integrations/${known['destination_id']}?tab=${tab}`),
      ),
      dashboard.path(`integrations/${known['destination_id']}?event=${mixed}&replay=${mixed}`),
      dashboard.path('catalog/entitlements?view=matrix'),
      dashboard.path(customer(MIXED)),
      dashboard.path(`customers?q=${mixed}`),
      dashboard.path(`settings/audit?customer=${mixed}&action=${mixed}`),
      `/projects/${mixed}/overview`,
    ]);
    const signIn = `/login?sso_error=${mixed}&next=javascript:owned()`;
    found.push(...(await walk(await dashboard.newPage(null), [signIn])));
    expect(found).toEqual([]);
  });

  it('stays text in the answers of receivers and in the curl of a delivery', async () => {
    const page = await dashboard.newPage();
    const deliveries = await deliveriesTo(dashboard.server, known['webhook_integration_id']!);
    await page.goto(
      `${dashboard.url}${dashboard.path(`webhooks/${known['webhook_integration_id']}`)}?delivery=${deliveries.at(-1)!.id}`,
    );
    for (const tab of [/^Attempts/, /^curl/]) {
      await page.getByRole('tab', { name: tab }).click();
      await settled(page);
      expect(await page.evaluate(hostileProblems)).toEqual([]);
      expect(await layoutProblems(page)).toEqual([]);
    }
  });

  it.each([
    ['customers', 'Download CSV'],
    ['transactions', 'Download CSV'],
    ['settings/audit', 'Download CSV'],
  ])('contains no formula in the file of %s', async (path, button) => {
    const page = await dashboard.open(dashboard.path(path));
    await settled(page);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: button }).click();
    const file = await readFile(await (await download).path(), 'utf8');
    expect(file).toContain(path === 'settings/audit' ? 'display_name' : "'=WEBSERVICE");
    expect(file).not.toMatch(/(^|,)"?[=+@\t]/m);
  });
});
