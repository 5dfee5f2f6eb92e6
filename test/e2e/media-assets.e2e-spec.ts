import sharp from 'sharp';
import { describeAccess } from '../support/access-checks.js';
import type { Answer, Json } from '../support/api-client.js';
import { createSecretKey, signUp } from '../support/arrange.js';
import { paywallCalls } from '../support/arrange-paywalls.js';
import type { TestStore } from '../support/arrange-store.js';
import { font } from '../support/fonts.js';
import { otherShop, shop } from '../support/world.js';

const picture = (red: number, alpha = 1): Promise<Buffer> =>
  sharp({ create: { width: 600, height: 300, channels: 4, background: { r: red, g: 9, b: 9, alpha } } })
    .png()
    .toBuffer();

describe('media assets', () => {
  const store = shop();
  let foreign: TestStore;
  let path: string;

  beforeAll(async () => {
    path = `${store.path}/media_assets`;
    foreign = await otherShop(store);
  });

  const { get, patch, published, whole } = paywallCalls(store);

  const upload = (file: Buffer, filename = 'header.png'): Promise<Answer> => {
    store.server.clock.advanceMs(1);
    return store.backend.post(path, {
      filename,
      content_type: 'image/png',
      file_data_base64: file.toString('base64'),
    });
  };
  const fetchBlob = (address: string): Promise<Response> =>
    fetch(store.server.baseUrl + new URL(address).pathname);

  it('stores an image in the forms that phones read, once', async () => {
    const file = await picture(200);
    const { status, body } = await upload(file);
    expect(status).toBe(201);
    const base = `${store.server.config.baseUrl}/v1/blobs/${store.projectId}`;
    expect(body).toMatchObject({
      object: 'media_asset',
      filename: 'header.png',
      content_type: 'image/jpeg',
      width: 600,
      height: 300,
      created_at: store.server.clock.nowMs(),
      asset_base_url: base,
    });
    expect(Object.keys(body.formats)).toEqual(['original', 'heic', 'heic_low_res', 'webp', 'webp_low_res']);
    const sizes = { original: 600, heic: 600, heic_low_res: 400, webp: 600, webp_low_res: 400 };
    for (const [form, width] of Object.entries(sizes)) {
      const address: string = body.formats[form];
      expect(address.startsWith(`${base}/`)).toBe(true);
      const answer = await fetchBlob(address);
      const type = form.startsWith('webp') ? 'image/webp' : 'image/jpeg';
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect((await sharp(await answer.arrayBuffer()).metadata()).width).toBe(width);
    }
    const again = await upload(file, 'other.png');
    expect([again.status, again.body]).toEqual([200, body]);
    expect((await get(`/media_assets/${body.id}`)).body).toEqual(body);
  });

  it('keeps PNG for an image with transparent parts', async () => {
    const { body } = await upload(await picture(10, 0.5));
    expect(body.content_type).toBe('image/png');
  });

  it('stores a font as it is', async () => {
    const file = font([{ platform: 3, id: 6, text: 'Inter-SemiBold' }]);
    const { status, body } = await upload(file, 'inter.ttf');
    expect([status, body.content_type, body.width, body.height]).toEqual([201, 'font/ttf', null, null]);
    const { original, ...others } = body.formats;
    expect(others).toEqual({ heic: null, heic_low_res: null, webp: null, webp_low_res: null });
    expect(Buffer.from(await (await fetchBlob(original)).arrayBuffer()).equals(file)).toBe(true);
  });

  it('lists them, newest first, and deletes one, audited', async () => {
    const ids: string[] = [];
    for (const red of [1, 2, 3]) ids.unshift((await upload(await picture(red))).body.id);
    const first = await get('/media_assets?limit=2');
    expect(first.body.items.map(({ id }: Json) => id)).toEqual(ids.slice(0, 2));
    const second = await store.backend.get(first.body.next_page);
    expect(second.body.items[0].id).toBe(ids[2]);
    const { backend, server } = store;
    const deleted = await backend.delete(`${path}/${ids[2]}`);
    expect(deleted.body).toEqual({ object: 'media_asset', id: ids[2], deleted_at: server.clock.nowMs() });
    expect((await backend.delete(`${path}/${ids[2]}`)).status).toBe(404);
    const log = await get(`/audit_logs?target_identifier=${ids[2]}`);
    expect(log.body.items.map((item: Json) => item.action_type).sort()).toEqual([
      'media_asset_created',
      'media_asset_deleted',
    ]);
  });

  it('keeps a file that a draft or a published paywall shows, and its bytes for 30 days after', async () => {
    const { body: asset } = await upload(await picture(120), 'shown.png');
    const { paywall } = await published('simple');
    const { components } = await whole(paywall.id);
    const { components_config: config, revision } = components.published;
    const image = {
      type: 'image',
      id: 'header',
      source: { light: { width: 600, height: 300, ...asset.formats } },
      fit_mode: 'fit',
      size: { width: { type: 'fill' }, height: { type: 'fit' } },
    };
    config.base.stack.components.unshift(image);
    const saved = await patch(paywall.id, { revision, components_config: config });
    expect(saved.body.problems.map(({ code }: Json) => code)).toEqual([]);
    const refused = await store.backend.delete(`${path}/${asset.id}`);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      `Paywalls show the image: ${JSON.stringify(paywall.name)}, so it cannot be deleted.`,
    ]);
    config.base.stack.components.shift();
    await patch(paywall.id, { revision: saved.body.components.draft.revision, components_config: config });
    expect((await store.backend.delete(`${path}/${asset.id}`)).status).toBe(200);
    expect((await fetchBlob(asset.formats.webp)).status).toBe(200);
    config.base.stack.components.unshift(image);
    const { draft } = (await whole(paywall.id)).components;
    const missing = await patch(paywall.id, { revision: draft.revision, components_config: config });
    expect(new Set(missing.body.problems.map(({ message }: Json) => message))).toEqual(
      new Set(['This image was deleted.']),
    );
    const reached = await upload(await picture(120), 'again.png');
    expect(reached.status).toBe(201);
    expect((await whole(paywall.id)).problems).toEqual([]);
  });

  it('stores the same file twice at the same time once', async () => {
    const file = await picture(77);
    const answers = await Promise.all([upload(file), upload(file), upload(file)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it.each<[string, Buffer]>([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['WOFF2', Buffer.from('wOF2....')],
    ['a video', Buffer.from('\0\0\0\x18ftypmp42')],
    ['half an image', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['a font without a name', font([{ platform: 3, id: 1, text: 'Inter' }])],
    ['more than 2 MiB', Buffer.alloc(2 * 2 ** 20 + 1)],
  ])('refuses %s', async (_, file) => {
    const { status, body } = await upload(file);
    expect([status, body.type, body.param]).toEqual([400, 'parameter_error', 'file_data_base64']);
  });

  it.each<[string, Json, string]>([
    ['no file', { filename: 'a.png', content_type: 'image/png' }, 'file_data_base64'],
    [
      'no base64',
      { filename: 'a.png', content_type: 'image/png', file_data_base64: 'a-b_' },
      'file_data_base64',
    ],
    ['no name', { content_type: 'image/png', file_data_base64: 'AAAA' }, 'filename'],
  ])('refuses a request with %s', async (_, body, param) => {
    const answer = await store.backend.post(path, body);
    expect([answer.status, answer.body.param]).toEqual([400, param]);
  });

  it('refuses a body of more than 3 MiB before it reads it', async () => {
    const answer = await store.backend.post(path, { file_data_base64: 'A'.repeat(3 * 2 ** 20) });
    expect(answer.status).toBe(413);
  });

  it('refuses the 1,001st file', async () => {
    const { server } = store;
    const { session, projectId } = await signUp(server);
    const { client } = await createSecretKey(session, projectId);
    await server.dataSource.query(
      `INSERT INTO media_assets (project_id, id, filename, content_type, sha256, size, formats, created_at)
       SELECT $1, 'mdas' || n, 'x', 'image/png', lpad(n::text, 64, '0'), 1, '{}', now() FROM generate_series(1, 1000) n`,
      [projectId],
    );
    const answer = await client.post(`/v2/projects/${projectId}/media_assets`, {
      filename: 'a.png',
      content_type: 'image/png',
      file_data_base64: (await picture(1)).toString('base64'),
    });
    expect([answer.status, answer.body.type]).toEqual([422, 'unprocessable_entity_error']);
  });

  it("neither shows nor deletes another project's files", async () => {
    const { body } = await upload(await picture(42));
    expect((await foreign.backend.get(`${foreign.path}/media_assets`)).body.items).toEqual([]);
    expect((await foreign.backend.get(`${foreign.path}/media_assets/${body.id}`)).status).toBe(404);
    expect((await foreign.backend.delete(`${foreign.path}/media_assets/${body.id}`)).status).toBe(404);
    const [, ref = ''] = body.formats.webp.split(`/${store.projectId}/`);
    expect((await fetch(`${store.server.baseUrl}/v1/blobs/${foreign.projectId}/${ref}`)).status).toBe(404);
  });

  describe.each([
    ['GET', '', 'project_configuration:offerings:read'],
    ['POST', '', 'project_configuration:offerings:read_write'],
    ['GET', '/mdas1', 'project_configuration:offerings:read'],
    ['DELETE', '/mdas1', 'project_configuration:offerings:read_write'],
  ] as const)('%s /media_assets%s', (method, rest, permission) => {
    describeAccess(
      () => store.server,
      method,
      (id) => `/v2/projects/${id}/media_assets${rest}`,
      permission,
    );
  });
});
