import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ManualClock } from '../../../libs/kernel/index.js';
import type { ProjectRole } from '../../../src/platform/principal/permissions.js';
import { joinAs, PASSWORD, sessionCookie, type SignedUp, signUp } from '../../support/arrange.js';
import { auditedWritesOf } from '../../support/audited-writes.js';
import { createTestStore, type TestStore } from '../../support/arrange-store.js';
import { startTestServer, type TestServer, type TestServerOptions } from '../../support/test-server.js';
import { launchChromium } from '../chromium.js';
import { PageProblems } from './page-problems.js';

const OWNER = 'owner@example.com';

export interface DashboardOptions extends TestServerOptions {
  /** Contents of the first account: a Test Store and its catalog, an empty project, or no account at all. */
  begin?: 'store' | 'project' | 'nothing';
}

export interface PageOptions {
  width?: number;
  height?: number;
  theme?: 'light' | 'dark';
  /** Names of zones as in `Intl`. */
  zone?: string;
  locale?: string;
  reducedMotion?: 'reduce' | 'no-preference';
}

/** The built dashboard on a real server with a database of its own, in Chromium. Values are there from `beforeAll` on. */
export class Dashboard {
  server!: TestServer;
  browser!: Browser;
  /** The first account, an admin of the project. Not with `begin: 'nothing'`. */
  owner!: SignedUp;
  /** Only with `begin: 'store'`. */
  store!: TestStore;
  private contexts: BrowserContext[] = [];
  private problems = new PageProblems();

  get url(): string {
    return this.server.baseUrl;
  }

  get projectId(): string {
    return this.owner.projectId;
  }

  /** Path of a page of the project: `path('customers')`. */
  path(page = 'overview'): string {
    return `/projects/${this.projectId}/${page}`;
  }

  /** A page that shows `path`, with the session of a person; null: signed out. */
  async open(path: string, person: SignedUp | null = this.owner, options: PageOptions = {}): Promise<Page> {
    const page = await this.newPage(person, options);
    await page.goto(this.url + path);
    return page;
  }

  /** An empty page in a browser profile of its own. */
  async newPage(person: SignedUp | null = this.owner, options: PageOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({
      viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
      colorScheme: options.theme ?? 'light',
      reducedMotion: options.reducedMotion ?? 'reduce',
      timezoneId: options.zone ?? 'Europe/Berlin',
      locale: options.locale ?? 'en-US',
      acceptDownloads: true,
    });
    this.contexts.push(context);
    await this.problems.watch(context, this.url);
    this.noteWrites(context);
    if (person !== null) {
      const [name = '', value = ''] = person.cookie.split('=');
      await context.addCookies([{ name, value, url: this.url, httpOnly: true, sameSite: 'Lax' }]);
    }
    const page = await context.newPage();
    // Stays below a test's limit, so that the error names the step that hangs.
    page.setDefaultTimeout(25_000);
    return page;
  }

  /** What pages write is compared with the audit log in the end, as what tests write is. */
  private noteWrites(context: BrowserContext): void {
    const writes = auditedWritesOf(this.server.databaseUrl);
    context.on('response', (response) => {
      const { pathname, search } = new URL(response.url());
      writes.note(response.request().method(), pathname + search, response.status(), response.headers());
    });
  }

  /** Another person with a role in the project, and in no other project. */
  async member(role: ProjectRole): Promise<SignedUp> {
    const member = await joinAs(this.server, role, this.projectId);
    await member.session.delete(`/v2/projects/${member.projectId}`);
    return { ...member, projectId: this.projectId };
  }

  /** A new session of a person who has no two-factor. */
  async signIn(email: string, projectId = this.projectId): Promise<SignedUp> {
    const cookie = sessionCookie(await this.server.http.post('/auth/login', { email, password: PASSWORD }));
    return { email, cookie, session: this.server.http.withCookie(cookie), projectId };
  }

  /**
   * For a scenario that provokes an error answer: the browser writes one to the console for each. The scenario fails if
   * nothing matches.
   */
  expectProblem(pattern: RegExp): void {
    this.problems.expect(pattern);
  }

  /** The server refuses every connection while `work` runs. */
  async withoutServer(work: () => Promise<void>): Promise<void> {
    const listener = this.server.app.getHttpServer();
    const { port } = listener.address() as AddressInfo;
    const closed = once(listener, 'close');
    listener.close();
    listener.closeAllConnections();
    await closed;
    try {
      await work();
    } finally {
      listener.listen(port, '127.0.0.1');
      await once(listener, 'listening');
    }
  }

  async start({ begin = 'store', ...options }: DashboardOptions): Promise<void> {
    [this.server, this.browser] = await Promise.all([
      startTestServer({
        // Browsers have no other time than the real one.
        clock: new ManualClock(Date.now()),
        ...options,
        env: { SERVICE_ALLOW_SIGNUP: 'true', SERVICE_TRUST_PROXY: 'true', ...options.env },
      }),
      launchChromium(),
    ]);
    if (begin === 'project') this.owner = await signUp(this.server, { email: OWNER, projectName: 'Acme' });
    if (begin !== 'store') return;
    this.store = await createTestStore(this.server, OWNER);
    this.owner = await this.signIn(OWNER, this.store.projectId);
  }

  /** @throws Error naming what a page of this scenario must not have done */
  async endScenario(): Promise<void> {
    const [contexts, problems] = [this.contexts, this.problems];
    [this.contexts, this.problems] = [[], new PageProblems()];
    problems.stop();
    await Promise.all(contexts.map((context) => context.close()));
    problems.assertNone();
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    await this.server?.close();
  }
}

/**
 * Inside `describe`: starts a dashboard for its scenarios. A scenario fails if one of its pages broke its policy, threw, or
 * wrote an error to the console.
 */
export function useDashboard(options: DashboardOptions | (() => Promise<DashboardOptions>) = {}): Dashboard {
  const dashboard = new Dashboard();
  beforeAll(async () => dashboard.start(typeof options === 'function' ? await options() : options));
  afterEach(() => dashboard.endScenario());
  afterAll(() => dashboard.stop());
  return dashboard;
}
