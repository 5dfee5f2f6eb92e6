import { randomBytes } from 'node:crypto';
import { CleanupsJob } from '../../src/platform/jobs/cleanups.job.js';
import type { Answer, Json } from '../support/api-client.js';
import {
  attributesOf,
  PUBLIC_URL,
  type RedemptionWorld,
  startRedemptionWorld,
  tokenOf,
} from '../support/arrange-redemption.js';
import { signUp } from '../support/arrange.js';
import { createTestStore } from '../support/arrange-store.js';
import { databaseContents } from '../support/database-contents.js';
import { fakePrices } from '../support/fake-stripe/fake-stripe.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const anonymous = (): string => `$RCAnonymousID:${randomBytes(16).toString('hex')}`;

describe('redemption links', () => {
  let world: RedemptionWorld;
  let path: string;

  beforeAll(async () => {
    world = await startRedemptionWorld();
    path = world.stripe.path;
  });

  beforeEach(async () => {
    world.stripe.clock.advanceMs(2 * HOUR_MS);
    await world.set({
      enabled: 'production',
      url_scheme: null,
      mail_on_expired: null,
      mail_on_purchase: false,
      link_minutes: 60,
      app_name: 'Pro',
      app_store_url: null,
      play_store_url: null,
      support_email: null,
    });
    await world.mails();
    // The audit log is read by time.
    world.stripe.clock.advanceMs(1);
  });

  afterAll(() => world.close());

  const create = (body: object): Promise<Answer> =>
    world.stripe.backend.post(`${path}/redemption_links`, body);
  const act = (link: Json, action: 'revoke' | 'resend'): Promise<Answer> =>
    world.stripe.backend.post(`${path}/redemption_links/${link.id}/actions/${action}`, {});
  const statusOf = async (link: Json): Promise<string> =>
    (await world.stripe.backend.get(`${path}/redemption_links/${link.id}`)).body.status;
  const listed = (appUserId: string, query = ''): Promise<Answer> =>
    world.stripe.backend.get(`${path}/customers/${encodeURIComponent(appUserId)}/redemption_links${query}`);
  const audited = async (): Promise<Json[]> =>
    (await world.stripe.session.get(`${path}/audit_logs?limit=20`)).body.items;

  describe('settings', () => {
    it('stays off at first, with the scheme of the oldest mobile app once there is one', async () => {
      const { session, projectId } = await signUp(world.stripe.server);
      const own = `/v2/projects/${projectId}`;
      const fresh = await session.get(`${own}/redemption_settings`);
      expect(fresh.body).toEqual({
        object: 'redemption_settings',
        enabled: 'off',
        url_scheme: null,
        effective_url_scheme: null,
        link_minutes: 60,
        mail_on_purchase: false,
        mail_on_expired: true,
        app_name: null,
        app_store_url: null,
        play_store_url: null,
        support_email: null,
        can_send_mail: true,
      });
      const app = await session.post(`${own}/apps`, { name: 'A', type: 'test_store' });
      const { body } = await session.get(`${own}/redemption_settings`);
      expect(body.effective_url_scheme).toBe(app.body.custom_url_scheme);
    });

    it('names the support address in the customer center of the SDKs', async () => {
      const email = async (): Promise<string> =>
        (await world.mobile.get('/v1/customercenter/anyone')).body.customer_center.support.email;
      expect(await email()).toBe('');
      await world.set({ support_email: 'help@example.com' });
      expect(await email()).toBe('help@example.com');
      await world.set({ enabled: 'off' });
      expect(await email()).toBe('help@example.com');
    });

    it('changes field by field, with a row in the audit log', async () => {
      const changed = await world.set({ url_scheme: 'my-app', support_email: ' Help@Example.com ' });
      expect(changed.body).toMatchObject({
        enabled: 'production',
        url_scheme: 'my-app',
        effective_url_scheme: 'my-app',
        support_email: 'help@example.com',
      });
      const [row] = await audited();
      expect(row).toMatchObject({ action_type: 'redemption_settings_updated' });
      expect(JSON.stringify(row)).toContain('support_email');
    });

    it.each([
      ['enabled', 'on'],
      ['url_scheme', 'javascript'],
      ['url_scheme', 'My-App'],
      ['url_scheme', 'https'],
      ['link_minutes', 4],
      ['link_minutes', 10_081],
      ['link_minutes', '60'],
      ['mail_on_purchase', null],
      ['app_name', ''],
      ['app_name', 'x'.repeat(61)],
      ['app_store_url', 'javascript:alert(1)'],
      ['play_store_url', 'http://play.google.com/store'],
      ['support_email', 'nobody'],
    ])('%s cannot be %j', async (field, value) => {
      const answer = await world.set({ [field]: value });
      expect([answer.status, answer.body.param]).toEqual([400, field]);
    });
  });

  describe('creation', () => {
    it('gives the addresses once; nothing else ever has them', async () => {
      const owner = anonymous();
      const id = await world.buy(owner, { $email: 'ada@example.com' });
      const link = await world.link(id, { expires_in_minutes: 5 });
      const nowMs = world.stripe.clock.nowMs();
      const token = tokenOf(link);
      const rest = {
        object: 'redemption_link',
        id: expect.stringMatching(/^rlnk[0-9a-z]{16}$/),
        project_id: world.stripe.projectId,
        customer_id: owner,
        app_id: world.stripe.appId,
        subscription_id: id,
        purchase_id: null,
        environment: 'production',
        status: 'active',
        obfuscated_email: 'a***@e*****.com',
        created_at: nowMs,
        expires_at: nowMs + 300_000,
        redeemed_at: null,
        redeemed_by: null,
      };
      expect(token).toMatch(/^rdm_[A-Za-z0-9_-]{43}$/);
      expect(link).toEqual({
        ...rest,
        redeem_url: `${world.scheme}://redeem_web_purchase?redemption_token=${token}`,
        redeem_url_redirect: `${PUBLIC_URL}/redeem/${token}`,
      });
      expect((await world.stripe.backend.get(`${path}/redemption_links/${link.id}`)).body).toEqual(rest);
      expect((await listed(owner)).body.items).toEqual([rest]);
      const [row] = await audited();
      expect(row).toMatchObject({ action_type: 'redemption_link_created', target_identifier: link.id });
      await fetch(`${world.stripe.server.baseUrl}/redeem/${token}`);
      await world.redeem(anonymous(), token);
      const contents = await databaseContents(world.stripe.server.dataSource);
      const places = [...contents.entries()].filter(([, rows]) =>
        [...rows].some((text) => text.includes(token)),
      );
      expect(places).toEqual([]);
      expect(world.log.filter((line) => line.includes(token.slice(4)))).toEqual([]);
      expect(world.log.some((line) => line.includes('/redeem/…'))).toBe(true);
    });

    it("finds the purchase by the store's id", async () => {
      const id = await world.buy(anonymous());
      const { body } = await world.stripe.backend.get(`${path}/subscriptions/${id}`);
      const made = await create({ store_purchase_identifier: body.store_subscription_identifier });
      expect([made.status, made.body.subscription_id]).toEqual([201, id]);
    });

    it('replaces the links before it; of one purchase at most ten a day', async () => {
      const id = await world.buy(anonymous());
      const first = await world.link(id);
      for (let made = 1; made < 10; made++) await world.link(id);
      expect(await statusOf(first)).toBe('replaced');
      const eleventh = await create({ subscription_id: id });
      expect([eleventh.status, eleventh.body.type]).toEqual([422, 'unprocessable_entity_error']);
      world.stripe.clock.advanceMs(DAY_MS);
      expect((await create({ subscription_id: id })).status).toBe(201);
    });

    it('allows at most a hundred a minute for a project', async () => {
      const { dataSource } = world.stripe.server;
      const id = await world.buy(anonymous());
      await world.link(id);
      await dataSource.query(`UPDATE rate_limits SET hits = 100 WHERE bucket LIKE 'redemption_links:%'`);
      const refused = await create({ subscription_id: id });
      expect([refused.status, refused.body.type]).toEqual([429, 'rate_limit_error']);
    });

    it.each<[string, object, number, string | undefined]>([
      ['no purchase', {}, 400, 'subscription_id'],
      ['two', { subscription_id: 'a', purchase_id: 'b' }, 400, 'purchase_id'],
      ['an unknown subscription', { subscription_id: 'sub_x' }, 404, 'subscription_id'],
      ['an unknown purchase', { purchase_id: 'purch_x' }, 404, 'purchase_id'],
      ['an unknown store id', { store_purchase_identifier: 'x' }, 404, 'store_purchase_identifier'],
      ['an address that is none', { subscription_id: 'a', email: 'x' }, 400, 'email'],
      ['too short a time', { subscription_id: 'a', expires_in_minutes: 4 }, 400, 'expires_in_minutes'],
      ['no switch', { subscription_id: 'a', send_email: 'yes' }, 400, 'send_email'],
    ])('refuses %s', async (_, body, status, param) => {
      const answer = await create(body);
      expect([answer.status, answer.body.param]).toEqual([status, param]);
    });

    it('refuses a purchase that has ended, one of a mobile store, and one that settings exclude', async () => {
      const { session, charge } = world.stripe.stripe.checkout([{ price: fakePrices.lifetime }]);
      if (!charge) throw new Error('nothing was charged');
      await world.stripe.post('refunded', session.id);
      const refunded = (await world.stripe.backend.get(`${path}/customers/refunded/purchases`)).body.items[0]
        .id;
      const body = { purchase_id: refunded, email: 'owner@example.com' };
      expect((await create(body)).status).toBe(201);
      await world.stripe.notify(world.stripe.stripe.refund(charge));
      expect((await create(body)).status).toBe(422);
      const store = await createTestStore(world.stripe.server);
      await store.sdk.post('/v1/receipts', {
        app_user_id: 'buyer',
        fetch_token: `test_${world.stripe.clock.nowMs()}_mobile`,
        product_id: 'pro_monthly',
      });
      const mobile = (await store.backend.get(`${store.path}/customers/buyer/subscriptions`)).body.items[0]
        .id;
      await store.backend.post(`${store.path}/redemption_settings`, { enabled: 'production' });
      const refused = await store.backend.post(`${store.path}/redemption_links`, { subscription_id: mobile });
      expect([refused.status, refused.body.param]).toEqual([422, 'subscription_id']);
      const id = await world.buy(anonymous());
      await world.set({ enabled: 'sandbox' });
      expect((await create({ subscription_id: id })).status).toBe(422);
      await world.set({ enabled: 'off' });
      expect((await create({ subscription_id: id })).status).toBe(422);
    });

    it('belongs to its project', async () => {
      const id = await world.buy(anonymous());
      const link = await world.link(id);
      const { session, projectId } = await signUp(world.stripe.server);
      const other = `/v2/projects/${projectId}`;
      await session.post(`${other}/redemption_settings`, { enabled: 'production' });
      const answers = [
        await session.get(`${other}/redemption_links/${link.id}`),
        await session.post(`${other}/redemption_links/${link.id}/actions/revoke`, {}),
        await session.post(`${other}/redemption_links/${link.id}/actions/resend`, {}),
        await session.post(`${other}/redemption_links`, { subscription_id: id }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      expect(await statusOf(link)).toBe('active');
    });
  });

  it('lists them newest first, page by page, with their owner and redeemer', async () => {
    const [owner, redeemer] = [`owner-${Date.now()}`, `redeemer-${Date.now()}`];
    const id = await world.buy(owner);
    const links: Json[] = [];
    for (let made = 0; made < 3; made++) {
      world.stripe.clock.advanceMs(1000);
      links.unshift(await world.link(id));
    }
    await world.redeem(redeemer, tokenOf(links[0]));
    const first = await listed(owner, '?limit=2');
    const rest = await world.stripe.backend.get(first.body.next_page);
    const ids = [...first.body.items, ...rest.body.items].map((link: Json) => link.id);
    expect(ids).toEqual(links.map((link) => link.id));
    expect((await listed(redeemer)).body.items).toMatchObject([{ id: links[0].id, redeemed_by: redeemer }]);
    expect((await listed('nobody-at-all')).status).toBe(404);
    expect((await listed(redeemer, `?starting_after=${links[1].id}`)).status).toBe(400);
  });

  describe('mail', () => {
    it('sends it on request, without the token in its subject', async () => {
      const id = await world.buy(anonymous());
      await world.set({ support_email: 'help@example.com' });
      const link = await world.link(id, {
        email: ' Bob@Example.com ',
        send_email: true,
        expires_in_minutes: 120,
      });
      const [mail] = await world.mails();
      expect(mail).toMatchObject({ to: ['bob@example.com'], subject: 'Your purchase in Pro' });
      expect(mail?.links).toEqual([link.redeem_url_redirect]);
      expect(mail?.text).toContain('for 2 hours');
      expect(mail?.text).toContain('help@example.com');
      expect(mail?.html).toContain(link.redeem_url_redirect);
    });

    it('needs an address', async () => {
      const answer = await create({ subscription_id: await world.buy(anonymous()), send_email: true });
      expect([answer.status, answer.body.param]).toEqual([422, 'email']);
    });

    describe('never goes to an address that the public key wrote', () => {
      const stranger = { $email: 'stranger@example.com' };
      const write = async (appUserId: string): Promise<void> => {
        const attributes = attributesOf(stranger, world.stripe.clock.nowMs() + 1000);
        const path = `/v1/subscribers/${encodeURIComponent(appUserId)}/attributes`;
        expect((await world.mobile.post(path, { attributes })).status).toBe(200);
      };
      const post = async (appUserId: string, attributes: Record<string, string>): Promise<string> => {
        const { id } = world.stripe.stripe.subscribe();
        const answer = await world.stripe.sdk.post('/v1/receipts', {
          app_user_id: appUserId,
          fetch_token: id,
          attributes: attributesOf(attributes, world.stripe.clock.nowMs()),
        });
        expect(answer.status).toBe(200);
        const list = `${path}/customers/${encodeURIComponent(appUserId)}/subscriptions`;
        return (await world.stripe.backend.get(list)).body.items[0].id;
      };

      it('refuses to send, and mails nothing after a purchase or an expired link', async () => {
        const owner = anonymous();
        const id = await world.buy(owner, { $email: 'ada@example.com' });
        await write(owner);
        const answer = await create({ subscription_id: id, send_email: true });
        expect([answer.status, answer.body.param]).toEqual([422, 'email']);
        const token = tokenOf(await world.link(id));
        world.stripe.clock.advanceMs(2 * HOUR_MS);
        const late = await world.redeem(anonymous(), token);
        expect(late.body).toMatchObject({ code: 7853 });
        expect(late.body).not.toHaveProperty('purchase_redemption_error_info');
        await world.set({ mail_on_purchase: true });
        const next = anonymous();
        await write(next);
        await world.buy(next);
        expect(await world.mails()).toEqual([]);
      });

      it("uses what came with a web store's receipt of an anonymous customer", async () => {
        const owner = anonymous();
        const subscription = await post(owner, { $email: 'ada@example.com' });
        const body = { subscription_id: subscription, send_email: true };
        expect((await create(body)).status).toBe(201);
        expect((await world.mails()).map(({ to }) => to)).toEqual([['ada@example.com']]);
        await write(owner);
        expect((await create(body)).status).toBe(422);
      });

      it('requires an email for an identified owner, whose id others may know', async () => {
        const owner = `known-${Date.now()}`;
        await world.set({ mail_on_purchase: true });
        const body = { subscription_id: await post(owner, stranger) };
        const answer = await create(body);
        expect([answer.status, answer.body.param]).toEqual([400, 'email']);
        expect(await world.mails()).toEqual([]);
        const link = await create({ ...body, email: 'owner@example.com', send_email: true });
        expect(link.body.obfuscated_email).toBe('o***@e*****.com');
        expect((await world.mails()).map(({ to }) => to)).toEqual([['owner@example.com']]);
      });
    });

    it('sends it again with a new link, unless it was used or revoked', async () => {
      const id = await world.buy(anonymous(), { $email: 'ada@example.com' });
      const link = await world.link(id);
      world.stripe.clock.advanceMs(1);
      const again = await act(link, 'resend');
      expect(again.status).toBe(200);
      expect(again.body).toMatchObject({ status: 'active', subscription_id: id });
      expect(again.body.id).not.toBe(link.id);
      expect(again.text).not.toContain('rdm_');
      expect(await statusOf(link)).toBe('replaced');
      const [row] = await audited();
      expect(row).toMatchObject({ action_type: 'redemption_link_resent', target_identifier: again.body.id });
      const [mail] = await world.mails();
      const token = mail?.links[0]?.split('/').at(-1);
      world.stripe.clock.advanceMs(1);
      expect((await act(again.body, 'revoke')).body.status).toBe('revoked');
      expect((await act(again.body, 'revoke')).status).toBe(200);
      expect((await audited())[0]).toMatchObject({ action_type: 'redemption_link_revoked' });
      expect((await act(again.body, 'resend')).status).toBe(422);
      expect((await world.redeem(anonymous(), token)).body.code).toBe(7849);
      const used = await world.link(id);
      await world.redeem(anonymous(), tokenOf(used));
      expect((await act(used, 'resend')).status).toBe(422);
      expect((await act(used, 'revoke')).status).toBe(422);
    });

    it('follows a purchase automatically, if settings say so and no app knows the buyer', async () => {
      await world.buy(anonymous(), { $email: 'early@example.com' });
      expect(await world.mails()).toEqual([]);
      await world.set({ mail_on_purchase: true });
      const owner = anonymous();
      await world.buy(owner, { $email: 'Late@example.com' });
      await world.buy(anonymous());
      const known = `known-${Date.now()}`;
      await world.mobile.get(`/v1/subscribers/${known}`, { 'x-platform': 'iOS' });
      await world.buy(known, { $email: 'known@example.com' });
      const mails = await world.mails();
      expect(mails.map(({ to }) => to)).toEqual([['late@example.com']]);
      const token = mails[0]?.links[0]?.split('/').at(-1);
      const redeemer = `late-${Date.now()}`;
      expect((await world.redeem(redeemer, token)).body.subscriber.entitlements).toHaveProperty('pro');
      await world.set({ enabled: 'sandbox' });
      await world.buy(anonymous(), { $email: 'excluded@example.com' });
      expect(await world.mails()).toEqual([]);
    });

    it('records a purchase whose link cannot be created yet, and mails the link once it can', async () => {
      const { dataSource } = world.stripe.server;
      await world.set({ mail_on_purchase: true });
      await dataSource.query(
        'ALTER TABLE redemption_link_routes ADD CONSTRAINT refused CHECK (false) NOT VALID',
      );
      try {
        await world.buy(anonymous(), { $email: 'patient@example.com' });
        expect(await world.mails()).toEqual([]);
      } finally {
        await dataSource.query('ALTER TABLE redemption_link_routes DROP CONSTRAINT refused');
      }
      world.stripe.clock.advanceMs(MINUTE_MS);
      expect((await world.mails()).map(({ to }) => to)).toEqual([['patient@example.com']]);
      world.stripe.clock.advanceMs(MINUTE_MS);
      expect(await world.mails()).toEqual([]);
    });
  });

  describe('the page', () => {
    /** Pages are no part of the API that clients check answers against. */
    async function call(method: string, place: string, address: string) {
      const { baseUrl } = world.stripe.server;
      const answer = await fetch(`${baseUrl}/redeem/${place}`, {
        method,
        headers: { 'x-forwarded-for': address },
        ...(method === 'POST' && { body: new URLSearchParams() }),
      });
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        text: await answer.text(),
      };
    }
    const open = (token: string, address = '192.0.2.1') => call('GET', token, address);

    it('leads to the app, without script, and uses nothing up', async () => {
      await world.set({
        app_store_url: 'https://apps.apple.com/app/id1',
        play_store_url: 'https://play.google.com/store/apps/details?id=a&hl=en',
        support_email: 'help@example.com',
      });
      const link = await world.link(await world.buy(anonymous()));
      const token = tokenOf(link);
      const page = await open(token);
      expect(page.status).toBe(200);
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
      });
      expect(page.text).toContain(`href="${link.redeem_url}"`);
      expect(page.text).toContain('href="https://apps.apple.com/app/id1"');
      expect(page.text).toContain('id=a&amp;hl=en');
      expect(page.text).toContain('<svg ');
      expect(page.text).not.toMatch(/<script|http-equiv|\son[a-z]+=/i);
      for (const method of ['HEAD', 'OPTIONS', 'GET']) await call(method, token, '192.0.2.1');
      expect(await statusOf(link)).toBe('active');
      const used = await world.redeem(anonymous(), token);
      expect(used.status).toBe(200);
      const after = await open(token);
      expect([after.status, after.text.includes(token)]).toEqual([200, false]);
      expect(after.text).toContain('has been used');
    });

    it('shows whatever an app calls itself as text', async () => {
      await world.set({ app_name: `"><script>alert('x')</script>` });
      const token = tokenOf(await world.link(await world.buy(anonymous())));
      const { text } = await open(token);
      expect(text).not.toContain('<script');
      expect(text).toContain('&lt;script&gt;');
    });

    it('answers 404 for an unknown, revoked or excluded link', async () => {
      const link = await world.link(await world.buy(anonymous()));
      for (const token of ['x', `rdm_${'a'.repeat(43)}`, '%3Cscript%3E'])
        expect((await open(token)).status).toBe(404);
      await world.set({ enabled: 'off' });
      expect((await open(tokenOf(link))).status).toBe(404);
      await world.set({ enabled: 'production' });
      await act(link, 'revoke');
      expect((await open(tokenOf(link))).status).toBe(404);
    });

    it('sends a new link for an expired one, once an hour, and reveals nothing more', async () => {
      const token = tokenOf(await world.link(await world.buy(anonymous(), { $email: 'ada@example.com' })));
      world.stripe.clock.advanceMs(HOUR_MS);
      expect((await open(token)).text).toContain(`action="/redeem/${token}/resend"`);
      const resend = (of: string) => call('POST', `${of}/resend`, '192.0.2.1');
      const answers = [await resend(token), await resend(token), await resend('rdm_x')];
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect((await world.mails()).map(({ to }) => to)).toEqual([['ada@example.com']]);
    });

    it('opens at most sixty times a minute from an address', async () => {
      for (let time = 0; time < 60; time++) expect((await open('x', '192.0.2.9')).status).toBe(404);
      const refused = await open('x', '192.0.2.9');
      expect([refused.status, refused.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    });
  });

  it('forgets an erased redeemer; the link and the history of the former owner stay', async () => {
    const [owner, redeemer] = [`giver-${Date.now()}`, `taker-${Date.now()}`];
    const link = await world.link(await world.buy(owner));
    await world.redeem(redeemer, tokenOf(link));
    const lines = async (id: string): Promise<Json[]> =>
      (await world.stripe.backend.get(`${path}/customers/${id}/export`)).text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ object }: Json) => object === 'redemption_link');
    expect(await lines(owner)).toMatchObject([{ id: link.id, redeemed_by: null }]);
    expect(await lines(redeemer)).toMatchObject([{ id: link.id, redeemed_by: redeemer, email: null }]);
    expect((await world.stripe.backend.delete(`${path}/customers/${redeemer}`)).status).toBe(200);
    const contents = await databaseContents(world.stripe.server.dataSource);
    const tables = [...contents].filter(([, rows]) => [...rows].some((text) => text.includes(redeemer)));
    expect(tables.map(([name]) => name)).toEqual(['audit_logs']);
    expect(await statusOf(link)).toBe('redeemed');
  });

  it('deletes them ninety days after they expired', async () => {
    const owner = anonymous();
    const link = await world.link(await world.buy(owner));
    const job = world.stripe.server.app.get(CleanupsJob);
    world.stripe.clock.advanceMs(90 * DAY_MS);
    await job.run();
    expect(await statusOf(link)).toBe('expired');
    world.stripe.clock.advanceMs(HOUR_MS);
    await job.run();
    expect(await statusOf(link)).toBeUndefined();
    const [row] = await world.stripe.server.dataSource.query(
      'SELECT count(*)::int AS count FROM redemption_link_routes WHERE link_id = $1',
      [link.id],
    );
    expect(row.count).toBe(0);
  });
});
