import { readFileSync } from 'node:fs';
import type { Frame, Page } from 'playwright-core';
import { uiConfig } from '../../../libs/paywalls/index.js';
import type { Json } from '../../support/api-client.js';
import { describeInBrowser } from '../chromium.js';
import { useDashboard } from './dashboard.js';

/* Functions given to `evaluate` run in the page or in the frame. */
declare const window: any;
declare const document: any;
declare const self: any;
declare const localStorage: any;
declare const XMLHttpRequest: any;
declare const getComputedStyle: any;

const example = JSON.parse(
  readFileSync(new URL('../../../libs/paywalls/testing/paywall-example.json', import.meta.url), 'utf8'),
);
const locales = Object.keys(example.components_localizations as object);
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const price = (amount: number) => ({ amount_micros: amount * 1_000_000, currency: 'USD' });
const packages = [
  {
    identifier: '$rc_annual',
    title: 'Pro',
    type: 'subscription',
    period: 'P1Y',
    trial: 'P1W',
    price: price(60),
  },
  {
    identifier: '$rc_monthly',
    title: 'Pro',
    type: 'subscription',
    period: 'P1M',
    trial: null,
    price: price(10),
  },
  {
    identifier: '$rc_lifetime',
    title: 'Pro',
    type: 'non_consumable',
    period: null,
    trial: null,
    price: price(99),
  },
];
const settings = {
  colors: { brand: { light: { type: 'hex', value: '#2050c0' } } },
  fonts: {},
  customVariables: {},
};

/** What the editor posts for the example, with some parts changed. */
const contentWith = (changes: Json = {}): Json => ({
  document: example,
  ui_config: uiConfig(settings, locales),
  packages,
  locale: 'en_US',
  dark: false,
  ...changes,
});

interface Preview {
  page: Page;
  frame: Frame;
  /** Posts the content, and waits for the report about it. */
  render: (content: Json) => Promise<{ error: string | null }>;
  text: () => Promise<string>;
}

describeInBrowser('the frame that renders paywalls', () => {
  const dashboard = useDashboard();

  /** A page of the dashboard with the frame in it, which renders the example. */
  async function open(): Promise<Preview> {
    // What the SDK loads for web views, and the page in one, are refused.
    dashboard.expectProblem(/rc-host\.iife\.js/);
    dashboard.expectProblem(/frame-src/);
    const page = await dashboard.newPage();
    await page.route('https://paywalls.example.com/**', (route) =>
      route.fulfill({ contentType: 'image/png', body: pixel }),
    );
    await page.goto(dashboard.url + dashboard.path('catalog/products'));
    await page.evaluate(() => {
      window.addEventListener('message', ({ source, data }: { source: object; data: object }) => {
        if (source !== window.frame.contentWindow) return;
        if ('ready' in data) window.isReady = true;
        else window.onReport?.(data);
      });
      window.frame = document.createElement('iframe');
      window.frame.src = '/paywall-preview';
      window.frame.sandbox = 'allow-scripts';
      window.frame.width = 393;
      window.frame.height = 500;
      document.body.prepend(window.frame);
    });
    await page.waitForFunction(() => window.isReady);
    const frame = page.frames()[1]!;
    const render: Preview['render'] = (content) =>
      page.evaluate((data) => {
        window.frame.contentWindow.postMessage(data, '*');
        return new Promise((resolve) => {
          window.onReport = resolve;
        });
      }, content);
    expect((await render(contentWith())).error).toBeNull();
    return { page, frame, render, text: () => frame.evaluate(() => document.body.innerText) };
  }

  it('renders components with the texts and prices of the editor', async () => {
    const { text } = await open();
    expect(await text()).toContain('Full access');
    expect(await text()).toContain('$10.00/month');
  });

  it('shows a changed text, and stays where it was scrolled to', async () => {
    const { frame, render, text } = await open();
    const scroll = (top?: number): Promise<number> =>
      frame.evaluate((wanted) => {
        const scrolled = [...document.querySelectorAll('.screen, .screen *')].find(
          ({ scrollHeight, clientHeight }) => clientHeight > 200 && scrollHeight > clientHeight + 100,
        );
        if (wanted !== undefined) scrolled.scrollTop = wanted;
        return scrolled.scrollTop;
      }, top);
    await scroll(120);
    const changed = structuredClone(example);
    changed.components_localizations.en_US.l003 = 'Everything is open';
    const { error } = await render(contentWith({ document: changed }));
    expect(error).toBeNull();
    expect(await text()).toContain('Everything is open');
    expect(await text()).not.toContain('Full access');
    expect(await scroll()).toBe(120);
    expect(await frame.locator('.screen').count()).toBe(1);
  });

  it('changes the language', async () => {
    const { render, text } = await open();
    await render(contentWith({ locale: 'de_DE' }));
    expect(await text()).toContain('Voller Zugang');
    await render(contentWith());
    expect(await text()).toContain('Full access');
  });

  it('changes between light and dark, whatever the browser prefers', async () => {
    const { page, frame, render } = await open();
    const backgrounds = (): Promise<string[]> =>
      frame.evaluate(() =>
        [...document.querySelectorAll('.screen *')].map(
          (element) => getComputedStyle(element).backgroundColor,
        ),
      );
    await page.emulateMedia({ colorScheme: 'dark' });
    await render(contentWith());
    expect(await backgrounds()).not.toContain('rgb(16, 16, 16)');
    await page.emulateMedia({ colorScheme: 'light' });
    await render(contentWith({ dark: true }));
    expect(await backgrounds()).toContain('rgb(16, 16, 16)');
  });

  it('reports why a document cannot be rendered, and keeps the last one', async () => {
    const { render, text } = await open();
    const broken = { ...example, components_config: {} };
    expect((await render(contentWith({ document: broken }))).error).not.toBeNull();
    expect(await text()).toContain('Full access');
    expect((await render(contentWith())).error).toBeNull();
  });

  it('stays when links and buttons are touched', async () => {
    const { frame, text } = await open();
    await frame.getByText('Terms', { exact: true }).click();
    await frame.getByText('Continue', { exact: true }).click();
    expect(await text()).toContain('Full access');
    expect(frame.url()).toBe(`${dashboard.url}/paywall-preview`);
  });

  it('reaches neither the dashboard, nor its session, nor any server', async () => {
    const { frame } = await open();
    dashboard.expectProblem(/connect-src/);
    const tried = await frame.evaluate(async () => {
      const failureOf = (work: () => unknown): string => {
        try {
          return JSON.stringify(work());
        } catch (error) {
          return (error as Error).name;
        }
      };
      // The page's own `fetch` answers the SDK.
      const request = (): Promise<string> =>
        new Promise((resolve) => {
          const sent = new XMLHttpRequest();
          sent.onload = () => resolve('answered');
          sent.onerror = () => resolve('refused');
          sent.open('GET', '/auth/me');
          sent.send();
        });
      return {
        origin: self.origin,
        parent: failureOf(() => window.parent.document),
        cookies: failureOf(() => document.cookie),
        storage: failureOf(() => localStorage.length),
        request: await request(),
      };
    });
    expect(tried).toEqual({
      origin: 'null',
      parent: 'SecurityError',
      cookies: 'SecurityError',
      storage: 'SecurityError',
      request: 'refused',
    });
  });

  it('listens to the window around it only', async () => {
    const { frame, render, text } = await open();
    await frame.evaluate(
      (content) => {
        window.postMessage(content, '*');
      },
      contentWith({ locale: 'de_DE' }),
    );
    await frame.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
    expect(await text()).toContain('Full access');
    expect((await render(contentWith())).error).toBeNull();
  });
});
