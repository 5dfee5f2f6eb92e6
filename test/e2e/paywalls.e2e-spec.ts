import { paywallTemplates } from '../../libs/paywalls/index.js';
import { describeAccess } from '../support/access-checks.js';
import type { Answer, Json } from '../support/api-client.js';
import type { TestStore } from '../support/arrange-store.js';
import { paywallCalls } from '../support/arrange-paywalls.js';
import { otherShop, shop } from '../support/world.js';

/** The reason in an answer of status 400 to 422. */
const problem = ({ status, body }: Answer) => [status, body.type, body.param];

const READ = 'project_configuration:offerings:read';
const WRITE = 'project_configuration:offerings:read_write';

describe('paywalls', () => {
  const store = shop();
  let foreign: TestStore;

  beforeAll(async () => {
    foreign = await otherShop(store);
  });

  const calls = paywallCalls(store);
  const { get, made, newOffering, post, remove, patch, publish, unpublish, whole, fullOffering } = calls;

  const newPaywall = async (template = 'two_plans'): Promise<Json> =>
    made('/paywalls', { offering_id: (await fullOffering()).id, template_id: template });
  const auditedActions = async (id: string): Promise<string[]> => {
    const { body } = await get(`/audit_logs?target_identifier=${id}`);
    return body.items.map((item: Json) => item.action_type).sort();
  };

  describe.each([
    ['GET', '', READ],
    ['POST', '', WRITE],
    ['GET', '/pw1', READ],
    ['PATCH', '/pw1', WRITE],
    ['DELETE', '/pw1', WRITE],
    ['POST', '/pw1/actions/publish', WRITE],
    ['POST', '/pw1/actions/unpublish', WRITE],
    ['GET', '/pw1/versions', READ],
  ] as const)('%s /paywalls%s', (method, path, permission) => {
    describeAccess(
      () => store.server,
      method,
      (id) => `/v2/projects/${id}/paywalls${path}`,
      permission,
    );
  });

  describe('GET /paywall_templates', () => {
    describeAccess(
      () => store.server,
      'GET',
      (id) => `/v2/projects/${id}/paywall_templates`,
      READ,
    );

    it('lists documents that a draft takes as they are', async () => {
      const { body } = await get('/paywall_templates');
      expect(body.items.map(({ id }: Json) => id)).toEqual(paywallTemplates.map(({ id }) => id));
      const { id } = await newPaywall();
      for (const { document, id: template } of body.items) {
        const { components } = await whole(id);
        const answer = await patch(id, { revision: components.draft.revision, ...document });
        const codes = answer.body.problems.filter((one: Json) => one.severity === 'error');
        expect([template, answer.status, codes.map((one: Json) => one.code)]).toEqual([
          template,
          200,
          template === 'empty' ? ['E6'] : [],
        ]);
      }
    });
  });

  describe('creating', () => {
    it('starts an empty screen, a template or a copy as a draft of revision 1', async () => {
      const offering = await fullOffering();
      const empty = await made('/paywalls', { offering_id: offering.id });
      expect(empty).toEqual({
        object: 'paywall',
        id: expect.stringMatching(/^pw[0-9a-z]{16}$/),
        project_id: store.projectId,
        name: offering.display_name,
        offering_id: offering.id,
        created_at: expect.any(Number),
        published_at: null,
        automatically_scale_font_size: true,
      });
      const { components, problems } = await whole(empty.id);
      expect([components.published, components.draft.revision]).toEqual([null, 1]);
      expect(problems[0]).toMatchObject({ severity: 'error', code: 'E6', path: '' });
      const original = await newPaywall();
      await patch(original.id, {
        revision: 1,
        state_declarations: { open: { type: 'boolean', default: true } },
      });
      const copy = await made('/paywalls', {
        offering_id: (await fullOffering()).id,
        name: 'Copy',
        duplicate_of: original.id,
      });
      const [first, second] = [await whole(original.id), await whole(copy.id)];
      expect(copy.name).toBe('Copy');
      expect(second.components.draft).toEqual({ ...first.components.draft, revision: 1 });
      expect(await auditedActions(copy.id)).toEqual(['paywall_created']);
    });

    it('refuses unknown and archived offerings, and a second paywall of one', async () => {
      const paywall = await newPaywall();
      const taken = await post('/paywalls', { offering_id: paywall.offering_id });
      expect(problem(taken)).toEqual([409, 'resource_already_exists', 'offering_id']);
      expect(taken.body.message).toContain(paywall.id);
      const archived = await newOffering();
      await post(`/offerings/${archived.id}/actions/archive`);
      const { id } = await newOffering();
      for (const [body, ...expected] of [
        [{ offering_id: archived.id }, 422, 'unprocessable_entity_error', 'offering_id'],
        [{ offering_id: 'ofrngunknown' }, 404, 'resource_missing', 'offering_id'],
        [{ offering_id: foreign.offering.id }, 404, 'resource_missing', 'offering_id'],
        [{ offering_id: id, template_id: 'none' }, 404, 'resource_missing', 'template_id'],
        [{ offering_id: id, duplicate_of: 'pwnone' }, 404, 'resource_missing', 'duplicate_of'],
        [
          { offering_id: id, duplicate_of: paywall.id, template_id: 'simple' },
          400,
          'parameter_error',
          'duplicate_of',
        ],
        [{ name: 'x' }, 400, 'parameter_error', 'offering_id'],
        [{ offering_id: id, name: 7 }, 400, 'parameter_error', 'name'],
      ] as const) {
        expect(problem(await post('/paywalls', body))).toEqual(expected);
      }
    });

    it('makes one of two at once', async () => {
      const { id } = await fullOffering();
      const answers = await Promise.all([1, 2, 3].map(() => post('/paywalls', { offering_id: id })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    });
  });

  describe('reading', () => {
    it('lists them with their offerings, and the one of an offering', async () => {
      const { id, offering_id: offeringId } = await newPaywall();
      const { body } = await get(`/paywalls?offering_id=${offeringId}&expand=items.offering`);
      expect(body.items).toEqual([
        expect.objectContaining({ id, offering: expect.objectContaining({ id: offeringId }) }),
      ]);
      const first = await get('/paywalls?limit=1');
      const next = await store.backend.get(first.body.next_page);
      expect(next.body.items[0].created_at).toBeGreaterThanOrEqual(first.body.items[0].created_at);
      expect(problem(await get('/paywalls?expand=components'))).toEqual([400, 'parameter_error', 'expand']);
    });

    it('lists the problems of drafts, otherwise of published versions, as the paywalls have them', async () => {
      const draft = await newPaywall('empty');
      const { paywall: unchanged, offering } = await calls.published();
      const { paywall: changed } = await calls.published();
      await calls.retitle(changed.id, '{{ product.nothing }}');
      // The offering loses a package after its paywall was published.
      const packages = await get(`/offerings/${offering.id}/packages`);
      await remove(`/packages/${packages.body.items[0].id}`);
      const { body } = await get('/paywalls?expand=items.problems&limit=1000');
      const listed = (id: string): Json => body.items.find((one: Json) => one.id === id);
      for (const [{ id }, hasDraft, code] of [
        [draft, true, 'E6'],
        [unchanged, false, 'E7'],
        [changed, true, 'W4'],
      ] as const) {
        const { problems } = await whole(id);
        expect(listed(id)).toMatchObject({ has_draft: hasDraft, problems });
        expect(problems).toContainEqual(expect.objectContaining({ code }));
        expect(listed(id)).not.toHaveProperty('components');
      }
      expect((await get('/paywalls')).body.items[0]).not.toHaveProperty('problems');
    });

    it('finds none of another project', async () => {
      const { id } = await newPaywall();
      const path = `${foreign.path}/paywalls/${id}`;
      const answers = [
        await foreign.backend.get(path),
        await foreign.backend.send('PATCH', path, { revision: 1 }),
        await foreign.backend.delete(path),
        await foreign.backend.post(`${path}/actions/publish`),
        await foreign.backend.post(`${path}/actions/unpublish`),
        await foreign.backend.get(`${path}/versions`),
        await foreign.backend.post(`${foreign.path}/paywalls`, {
          offering_id: foreign.offering.id,
          duplicate_of: id,
        }),
      ];
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
      expect((await foreign.backend.get(`${foreign.path}/paywalls`)).body.items).toEqual([]);
    });
  });

  describe('changing', () => {
    it('replaces the fields that are sent, and removes those that are null', async () => {
      const { id } = await newPaywall();
      const exit = { dismiss: { offering_id: 'default' } };
      const { body: second } = await patch(id, {
        revision: 1,
        exit_offers: exit,
        automatically_scale_font_size: false,
      });
      expect(second).toMatchObject({ automatically_scale_font_size: false, problems: expect.any(Array) });
      expect(second.components.draft).toMatchObject({ revision: 2, exit_offers: exit });
      const { body: third } = await patch(id, {
        revision: 2,
        exit_offers: null,
        automatically_scale_font_size: null,
        components_config: { base: { ...second.components.draft.components_config.base, overrides: null } },
      });
      expect(third.automatically_scale_font_size).toBe(true);
      expect(third.components.draft.revision).toBe(3);
      expect(third.components.draft).not.toHaveProperty('exit_offers');
      expect(JSON.stringify(third.components)).not.toContain('"overrides":null');
    });

    it('raises the revision only with the content', async () => {
      const { id } = await newPaywall();
      const other = await fullOffering();
      const { body } = await patch(id, { revision: 1, name: 'New', offering_id: other.id });
      expect([body.name, body.offering_id, body.components.draft.revision]).toEqual(['New', other.id, 1]);
      const { components_config, default_locale } = body.components.draft;
      const same = await patch(id, { revision: 1, components_config, default_locale });
      expect(same.body.components.draft.revision).toBe(1);
      const { body: logs } = await get(`/audit_logs?target_identifier=${id}`);
      const renamed = logs.items.find((item: Json) => item.additional_data.changes !== undefined);
      expect(renamed.additional_data).toEqual({
        changed_fields: ['name', 'offering_id'],
        changes: {
          name: { old: expect.any(String), new: 'New' },
          offering_id: { old: expect.any(String), new: other.id },
        },
        method: 'PATCH',
        status: 200,
      });
    });

    it('refuses the revision of an earlier state, naming the present one', async () => {
      const { id } = await newPaywall();
      await calls.retitle(id, 'Changed');
      const late = await patch(id, { revision: 1, name: 'Late' });
      expect(problem(late)).toEqual([409, 'invalid_request', undefined]);
      expect(late.body.message).toBe('Someone else changed this paywall: its revision is now 2.');
      expect(problem(await publish(id, { revision: 1 }))).toEqual([409, 'invalid_request', undefined]);
    });

    it('lets one of two changes at once win', async () => {
      const { id } = await newPaywall();
      const answers = await Promise.all(
        ['de_DE', 'fr_FR'].map((locale) => patch(id, { revision: 1, default_locale: locale })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    });

    it('saves a draft with errors and lists them', async () => {
      const { id } = await newPaywall();
      const { body } = await patch(id, {
        revision: 1,
        default_locale: 'fr_FR',
        components_config: { base: {} },
      });
      expect(body.components.draft).toMatchObject({
        default_locale: 'fr_FR',
        components_config: { base: {} },
      });
      expect(body.problems[0]).toEqual({
        severity: 'error',
        code: 'E1',
        path: expect.stringMatching(/^\/components_config\/base/),
        message: expect.any(String),
      });
      const refused = await publish(id);
      expect(problem(refused)).toEqual([422, 'unprocessable_entity_error', undefined]);
      expect(refused.body.message).toBe(body.problems[0].message);
      expect(refused.body.problems).toEqual(body.problems);
    });

    it('names a package that the offering lost', async () => {
      const { id, offering_id: offeringId } = await newPaywall('simple');
      const { body } = await get(`/offerings/${offeringId}/packages`);
      await remove(`/packages/${body.items[0].id}`);
      const refused = await publish(id);
      expect(refused.body.message).toBe('The offering has no package `$rc_annual`.');
      expect(refused.body.problems[0]).toMatchObject({
        code: 'E7',
        path: expect.stringMatching(/\/package_id$/),
      });
    });

    it.each<[string, object, string]>([
      ['no revision', { name: 'x' }, 'revision'],
      ['a revision of another type', { revision: '1' }, 'revision'],
      ['a list for the screen', { revision: 1, components_config: [] }, 'components_config'],
      ['null for the texts', { revision: 1, components_localizations: null }, 'components_localizations'],
      ['a text for the exit offers', { revision: 1, exit_offers: 'x' }, 'exit_offers'],
      ['half of a character', { revision: 1, exit_offers: { a: '\ud800' } }, 'exit_offers'],
      ['a NUL character', { revision: 1, components_config: { a: '\0' } }, 'components_config'],
      ['a reserved name', { revision: 1, exit_offers: { prototype: 1 } }, 'exit_offers'],
      ['300 KiB', { revision: 1, exit_offers: { a: 'x'.repeat(300_000) } }, 'exit_offers'],
      ['3 MiB', { revision: 1, components_config: { a: 'x'.repeat(3_000_000) } }, 'components_config'],
      [
        'too many texts',
        {
          revision: 1,
          components_localizations: {
            en_US: Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`t${n}`, ''])),
          },
        },
        'components_localizations',
      ],
    ])('refuses %s', async (_, body, param) => {
      const { id } = await newPaywall();
      expect(problem(await patch(id, body))).toEqual([400, 'parameter_error', param]);
    });

    it('accepts more texts than other bodies may have names', async () => {
      const { id } = await newPaywall();
      const texts = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`t${n}`, 'x']));
      const locales = ['en_US', 'de_DE', 'fr_FR', 'es_ES', 'it_IT', 'pt_BR'];
      const { components } = await whole(id);
      const answer = await patch(id, {
        revision: 1,
        components_localizations: Object.fromEntries(
          locales.map((locale) => [locale, { ...texts, ...components.draft.components_localizations.en_US }]),
        ),
      });
      expect(answer.status).toBe(200);
    });

    it('refuses a body over 8 MiB, and one of a foreign project before it reads it', async () => {
      const { id } = await newPaywall();
      const body = { revision: 1, components_config: { a: 'x'.repeat(9 * 2 ** 20) } };
      expect((await patch(id, body)).status).toBe(413);
      const foreignPath = `${foreign.path}/paywalls/${id}`;
      const large = { revision: 1, components_config: { a: 'x'.repeat(2 ** 21) } };
      expect((await store.server.http.send('PATCH', foreignPath, large)).status).toBe(401);
    });

    it('stores addresses of this server without its host', async () => {
      const { id } = await newPaywall();
      const { baseUrl } = store.server.config;
      const { components } = await whole(id);
      const address = `${baseUrl}/v1/blobs/${store.projectId}/x`;
      const { base } = components.draft.components_config;
      const { body } = await patch(id, {
        revision: 1,
        components_config: {
          base: { ...base, background: { type: 'image', value: { light: { original: address } } } },
        },
      });
      expect(body.components.draft.components_config.base.background.value.light.original).toBe(address);
      const [row] = await store.server.dataSource.query<{ draft: string }[]>(
        'SELECT draft::text FROM paywalls WHERE project_id = $1 AND id = $2',
        [store.projectId, id],
      );
      expect(row?.draft).toContain(`self:/v1/blobs/${store.projectId}/x`);
      expect(row?.draft).not.toContain(baseUrl);
    });
  });

  describe('publishing', () => {
    it('hands the draft to SDKs and empties it', async () => {
      const { id, offering_id: offeringId } = await newPaywall();
      const { body } = await publish(id, { revision: 1 });
      expect(body.published_at).toBe(store.clock.nowMs());
      const { components, problems } = await whole(id);
      expect([components.draft, components.published.revision]).toEqual([null, 1]);
      expect(problems.filter(({ severity }: Json) => severity === 'error')).toEqual([]);
      expect((await get(`/offerings/${offeringId}`)).body.paywall_id).toBe(id);
      const { body: list } = await get('/offerings?limit=100');
      expect(list.items.find((one: Json) => one.id === offeringId).paywall_id).toBe(id);
      expect(await auditedActions(id)).toEqual(['paywall_created', 'paywall_published']);
    });

    it('makes one version of two requests at once, and none of the same content', async () => {
      const { id } = await newPaywall();
      const answers = await Promise.all([publish(id), publish(id, { revision: 1 }), publish(id)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      await calls.retitle(id, 'Other');
      const { components } = await whole(id);
      await patch(id, {
        revision: 2,
        components_localizations: components.published.components_localizations,
      });
      const again = await publish(id, { revision: 3 });
      expect(again.status).toBe(200);
      const { body } = await get(`/paywalls/${id}/versions`);
      expect(body.items.map(({ revision }: Json) => revision)).toEqual([1]);
      expect((await whole(id)).components.draft).toBeNull();
      // The counter is not used twice.
      expect((await calls.retitle(id, 'Third')).body.components.draft.revision).toBe(4);
    });

    it('lists versions, newest first, and takes one back by a change', async () => {
      const { id } = await newPaywall();
      await publish(id);
      for (const title of ['Second', 'Third']) {
        await calls.retitle(id, title);
        await publish(id);
      }
      const { body } = await get(`/paywalls/${id}/versions?expand=items.components`);
      expect(body.items.map((one: Json) => [one.revision, one.is_current])).toEqual([
        [3, true],
        [2, false],
        [1, false],
      ]);
      expect(body.items[0].published_by).toMatch(/^key_/);
      const first = body.items[2].components;
      const { components_config, components_localizations } = first;
      const { body: restored } = await patch(id, {
        revision: 3,
        components_config,
        components_localizations,
      });
      expect(restored.components.draft).toEqual({ ...first, revision: 4 });
      const page = await get(`/paywalls/${id}/versions?limit=2`);
      const next = await store.backend.get(page.body.next_page);
      expect(next.body.items.map(({ revision }: Json) => revision)).toEqual([1]);
      expect((await get(`/paywalls/${id}/versions?starting_after=2`)).body.items[0].revision).toBe(1);
      expect(problem(await get(`/paywalls/${id}/versions?starting_after=9`))).toEqual([
        400,
        'parameter_error',
        'starting_after',
      ]);
    });

    it('unpublishes into the draft, unless there is one, and keeps the versions', async () => {
      const { id, offering_id: offeringId } = await newPaywall();
      await publish(id);
      const { body } = await unpublish(id);
      expect(body.published_at).toBeNull();
      expect((await get(`/offerings/${offeringId}`)).body.paywall_id).toBeNull();
      const { components } = await whole(id);
      expect([components.published, components.draft.revision]).toEqual([null, 1]);
      expect((await unpublish(id)).status).toBe(200);
      await publish(id);
      await calls.retitle(id, 'Draft');
      await unpublish(id);
      expect((await whole(id)).components.draft.revision).toBe(2);
      const { body: versions } = await get(`/paywalls/${id}/versions`);
      expect(versions.items.map((one: Json) => [one.revision, one.is_current])).toEqual([[1, false]]);
      expect(await auditedActions(id)).toEqual([
        'paywall_created',
        'paywall_published',
        'paywall_published',
        'paywall_unpublished',
        'paywall_unpublished',
        'paywall_unpublished',
        'paywall_updated',
      ]);
    });

    it('moves to another offering with the next publish', async () => {
      const { id, offering_id: before } = await newPaywall();
      await publish(id);
      const other = await fullOffering();
      await patch(id, { revision: 1, offering_id: other.id });
      const idsOf = async () =>
        Promise.all([before, other.id].map(async (one) => (await get(`/offerings/${one}`)).body.paywall_id));
      expect(await idsOf()).toEqual([id, null]);
      // Apps still show the paywall with its first offering.
      expect(problem(await post('/paywalls', { offering_id: before }))).toEqual([
        409,
        'resource_already_exists',
        'offering_id',
      ]);
      await publish(id);
      expect(await idsOf()).toEqual([null, id]);
      expect((await get(`/paywalls/${id}/versions`)).body.items).toHaveLength(1);
      expect((await post('/paywalls', { offering_id: before })).status).toBe(201);
    });

    it('refuses an archived offering, and deleting what is published', async () => {
      const { id, offering_id: offeringId } = await newPaywall();
      await post(`/offerings/${offeringId}/actions/archive`);
      expect(problem(await publish(id))).toEqual([422, 'unprocessable_entity_error', undefined]);
      await post(`/offerings/${offeringId}/actions/unarchive`);
      await publish(id);
      expect(problem(await remove(`/paywalls/${id}`))).toEqual([409, 'invalid_request', undefined]);
      const kept = await remove(`/offerings/${offeringId}`);
      expect([kept.status, kept.body.message]).toEqual([409, expect.stringContaining(id)]);
      await unpublish(id);
      const { body } = await remove(`/paywalls/${id}`);
      expect(body).toEqual({ object: 'paywall', id, deleted_at: store.clock.nowMs() });
      expect((await get(`/paywalls/${id}`)).status).toBe(404);
      expect((await remove(`/offerings/${offeringId}`)).status).toBe(200);
    });

    it('deletes a draft with its offering', async () => {
      const { id, offering_id: offeringId } = await newPaywall();
      expect((await remove(`/offerings/${offeringId}`)).status).toBe(200);
      expect((await get(`/paywalls/${id}`)).status).toBe(404);
    });

    it('keeps 100 versions', async () => {
      const { id } = await newPaywall();
      await publish(id);
      await store.server.dataSource.query(
        `INSERT INTO paywall_versions (project_id, paywall_id, revision, document, published_at, published_by)
         SELECT project_id, paywall_id, n, document, published_at, published_by
         FROM paywall_versions, generate_series(2, 100) n WHERE project_id = $1 AND paywall_id = $2`,
        [store.projectId, id],
      );
      await store.server.dataSource.query(
        'UPDATE paywalls SET revision = 100 WHERE project_id = $1 AND id = $2',
        [store.projectId, id],
      );
      await calls.retitle(id, 'New');
      await publish(id);
      const { body } = await get(`/paywalls/${id}/versions?limit=100`);
      expect([body.items.length, body.items[0].revision, body.items[99].revision]).toEqual([100, 101, 2]);
    });
  });

  it('serves the schema of documents to anyone', async () => {
    const { status, body } = await store.server.http.get('/schemas/paywall-document.json');
    expect([status, body.title]).toEqual([200, 'Paywall document, version 1']);
  });

  it('repeats a write with the same idempotency key', async () => {
    const { id } = await fullOffering();
    const once = () =>
      store.backend.post(`${store.path}/paywalls`, { offering_id: id }, { 'idempotency-key': `pw-${id}` });
    const [first, second] = [await once(), await once()];
    expect([second.status, second.body.id]).toEqual([201, first.body.id]);
  });
});

describe('the limits of published paywalls', () => {
  const store = shop();
  const { made, publish, fullOffering } = paywallCalls(store);

  it.each([
    ['more than 100', 100, 1, 'at most 100'],
    ['more than 8 MiB', 1, 8 * 2 ** 20 - 100, 'at most 8 MiB'],
  ])('holds %s back', async (_, count, bytes, message) => {
    const paywall = await made('/paywalls', {
      offering_id: (await fullOffering()).id,
      template_id: 'simple',
    });
    const prefix = `${count}x`;
    await store.server.dataSource.query(
      `WITH o AS (INSERT INTO offerings (project_id, id, lookup_key, display_name, is_current, state, created_at)
         SELECT $1, $3 || n, $3 || n, 'x', false, 'inactive', now() FROM generate_series(1, $2::int) n
         RETURNING id)
       INSERT INTO paywalls (project_id, id, name, offering_id, revision, automatically_scale_font_size,
         published_revision, published_offering_id, published_at, published_ref, published_bytes, published_base_url,
         created_at, updated_at)
       SELECT $1, 'pw' || id, 'x', id, 1, true, 1, id, now(), 'x', $4, 'x', now(), now() FROM o`,
      [store.projectId, count, prefix, bytes],
    );
    const answer = await publish(paywall.id);
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining(message)]);
    await store.server.dataSource.query(
      `DELETE FROM paywalls WHERE project_id = $1 AND id LIKE 'pw' || $2 || '%'`,
      [store.projectId, prefix],
    );
    expect((await publish(paywall.id)).status).toBe(200);
  });
});
