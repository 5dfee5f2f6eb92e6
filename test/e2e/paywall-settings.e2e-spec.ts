import { describeAccess } from '../support/access-checks.js';
import type { Answer, Json } from '../support/api-client.js';
import { paywallCalls } from '../support/arrange-paywalls.js';
import type { TestStore } from '../support/arrange-store.js';
import { font } from '../support/fonts.js';
import { otherShop, shop } from '../support/world.js';

const white = { light: { type: 'hex', value: '#ffffff' } };
const black = { light: { type: 'hex', value: '#000000' }, dark: { type: 'hex', value: '#ffffff' } };
const level = { type: 'number', default_value: 1 };

describe('settings of paywalls', () => {
  const store = shop();
  let foreign: TestStore;

  beforeAll(async () => {
    foreign = await otherShop(store);
  });

  const { get, made, patch, post, publish, published, whole } = paywallCalls(store);
  const change = (body: object): Promise<Answer> => post('/paywall_settings', body);
  const uploadFont = async (name: string): Promise<Json> =>
    made('/media_assets', {
      filename: `${name}.ttf`,
      content_type: 'font/ttf',
      file_data_base64: font([{ platform: 3, id: 6, text: name }]).toString('base64'),
    });
  /** The parts of `ui_config`, as phones fetch them. */
  const uiConfig = async (part: string): Promise<Json> => {
    const [row] = await store.server.dataSource.query<{ refs: Record<string, string> }[]>(
      'SELECT ui_config_refs AS refs FROM paywall_settings WHERE project_id = $1',
      [store.projectId],
    );
    const answer = await fetch(`${store.server.baseUrl}/v1/blobs/${store.projectId}/${row?.refs[part]}`);
    return answer.json();
  };

  describe.each([
    ['GET', 'project_configuration:offerings:read'],
    ['POST', 'project_configuration:offerings:read_write'],
  ] as const)('%s /paywall_settings', (method, permission) => {
    describeAccess(
      () => store.server,
      method,
      (id) => `/v2/projects/${id}/paywall_settings`,
      permission,
    );
  });

  it('starts empty, and replaces the fields of a request only', async () => {
    const empty = { object: 'paywall_settings', colors: {}, fonts: {}, custom_variables: {} };
    expect((await foreign.backend.get(`${foreign.path}/paywall_settings`)).body).toEqual(empty);
    expect((await change({ colors: { brand: white } })).body).toEqual({ ...empty, colors: { brand: white } });
    const both = { ...empty, colors: { brand: white }, custom_variables: { level } };
    expect((await change({ custom_variables: { level } })).body).toEqual(both);
    expect((await change({})).body).toEqual(both);
    expect((await get('/paywall_settings')).body).toEqual(both);
    const { body } = await get('/audit_logs');
    const changes = body.items
      .filter((item: Json) => item.action_type === 'paywall_settings_updated')
      .map((item: Json) => item.additional_data);
    expect(changes).toHaveLength(3);
    expect(changes).toContainEqual(
      expect.objectContaining({
        changed_fields: ['colors.brand'],
        changes: { 'colors.brand': { old: null, new: white } },
      }),
    );
  });

  it('reaches apps without another publication', async () => {
    await published();
    const asset = await uploadFont('Inter-SemiBold');
    const fonts = { title: { media_asset_id: asset.id, family: 'Inter', weight: 600, style: 'normal' } };
    const before = await uiConfig('app');
    const answer = await change({ colors: { brand: black }, fonts });
    expect([answer.status, answer.body.fonts]).toEqual([200, fonts]);
    const after = await uiConfig('app');
    expect(before).not.toEqual(after);
    expect(after.colors).toEqual({ brand: black });
    expect(after.fonts.title.ios).toEqual({
      type: 'name',
      value: 'Inter-SemiBold',
      family: 'Inter',
      url: asset.formats.original,
      hash: expect.stringMatching(/^[0-9a-f]{32}$/),
      weight: 600,
      style: 'normal',
    });
    await change({ custom_variables: { level } });
    expect(await uiConfig('custom_variables')).toEqual({ level });
    const refused = await store.backend.delete(`${store.path}/media_assets/${asset.id}`);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'The settings of paywalls name the font: "title", so it cannot be deleted.',
    ]);
    await change({ fonts: {} });
    expect((await store.backend.delete(`${store.path}/media_assets/${asset.id}`)).status).toBe(200);
  });

  it('lets documents name its colors, fonts and variables', async () => {
    await change({ colors: {}, custom_variables: {} });
    const { paywall } = await published('simple');
    const { components_config: config, revision } = (await whole(paywall.id)).components.published;
    const text = config.base.stack.components.find(({ type }: Json) => type === 'text');
    text.color = { light: { type: 'alias', value: 'accent' } };
    const saved = await patch(paywall.id, { revision, components_config: config });
    expect(saved.body.problems.map(({ message }: Json) => message)).toEqual(['There is no color `accent`.']);
    expect((await change({ colors: { accent: white, other: white } })).status).toBe(200);
    expect((await whole(paywall.id)).problems).toEqual([]);
    expect((await publish(paywall.id)).status).toBe(200);
    const refused = await change({ colors: { other: white } });
    expect([refused.status, refused.body.message]).toEqual([
      409,
      `Paywalls have a color that would be removed ("accent"): ${JSON.stringify(paywall.name)}.`,
    ]);
    expect((await change({ colors: { accent: black } })).status).toBe(200);
  });

  it('keeps fonts and variables that paywalls have', async () => {
    const asset = await uploadFont('Body');
    const fonts = { body: { media_asset_id: asset.id, family: 'Body', weight: 400, style: 'normal' } };
    await change({ fonts, custom_variables: { level, level_2: level, plan: level } });
    const { paywall } = await published('simple');
    const content = (await whole(paywall.id)).components.published;
    const { components_config: config, components_localizations: texts, revision } = content;
    const text = config.base.stack.components.find(({ type }: Json) => type === 'text');
    text.font_name = 'body';
    text.overrides = [
      {
        conditions: [{ type: 'variable_condition', operator: '=', variable: 'plan', value: 2 }],
        properties: { visible: false },
      },
    ];
    texts.en_US[text.text_lid] = 'Level {{ custom.level | uppercase }}';
    const saved = await patch(paywall.id, {
      revision,
      components_config: config,
      components_localizations: texts,
    });
    expect(saved.body.problems).toEqual([]);
    const refusals: [string, object][] = [
      ['font that would be removed ("body")', { fonts: {} }],
      ['variable that would be removed ("level")', { custom_variables: { level_2: level, plan: level } }],
      ['variable that would be removed ("plan")', { custom_variables: { level, level_2: level } }],
    ];
    for (const [what, body] of refusals) {
      const refused = await change(body);
      expect([refused.status, refused.body.message]).toEqual([
        409,
        `Paywalls have a ${what}: ${JSON.stringify(paywall.name)}.`,
      ]);
    }
    expect((await change({ custom_variables: { level, plan: level } })).status).toBe(200);
  });

  it('names fonts that exist, of this project', async () => {
    const named = (id: string) => ({ a: { media_asset_id: id, family: 'A', weight: 400, style: 'normal' } });
    const elsewhere = await foreign.backend.post(`${foreign.path}/media_assets`, {
      filename: 'a.ttf',
      content_type: 'font/ttf',
      file_data_base64: font([{ platform: 3, id: 6, text: 'A' }]).toString('base64'),
    });
    for (const id of ['mdas1', elsewhere.body.id as string]) {
      const answer = await change({ fonts: named(id) });
      expect([answer.status, answer.body.type, answer.body.param]).toEqual([
        404,
        'resource_missing',
        'fonts',
      ]);
    }
  });

  it.each([
    ['colors', { '1st': white }],
    ['colors', { brand: { light: { type: 'hex', value: 'red' } } }],
    ['colors', []],
    ['fonts', { a: { media_asset_id: 'x' } }],
    ['custom_variables', { level: { type: 'number', default_value: 'x' } }],
  ])('rejects %s of %j', async (field, value) => {
    const answer = await change({ [field]: value });
    expect([answer.status, answer.body.type, answer.body.param]).toEqual([400, 'parameter_error', field]);
  });
});
