import { breakingChanges } from './breaking-changes.mjs';
import { documentProblems } from './validate.mjs';

const text = { type: 'string' };
const json = (schema) => ({ content: { 'application/json': { schema } } });

/** A document of one operation; `operation` and `schemas` are laid over what is there. */
function documentWith(operation = {}, schemas = {}) {
  return {
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    paths: {
      '/things/{id}': {
        post: {
          operationId: 'changeThing',
          summary: 'Change a thing',
          tags: ['Things'],
          security: [],
          parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
          requestBody: { required: true, ...json({ $ref: '#/components/schemas/Change' }) },
          responses: { 200: { description: 'Changed', ...json({ $ref: '#/components/schemas/Thing' }) } },
          ...operation,
        },
      },
    },
    components: {
      schemas: {
        Change: { type: 'object', properties: { name: text, size: { type: 'integer' } }, required: ['name'] },
        Thing: {
          type: 'object',
          properties: {
            name: { type: ['string', 'null'] },
            parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
            colour: { type: 'string', enum: ['red', 'blue'] },
          },
          required: ['name'],
        },
        ...schemas,
      },
    },
  };
}

const { Change, Thing } = documentWith().components.schemas;
const withChange = (change) => documentWith({}, { Change: { ...Change, ...change } });
const withThing = (thing) => documentWith({}, { Thing: { ...Thing, ...thing } });
const changesTo = (after, before = documentWith()) => breakingChanges(before, after);
const POST = 'POST /things/{id}';

describe('breaking changes of an OpenAPI document', () => {
  it('finds none between a document and itself, even if its schemas refer to themselves', () => {
    expect(changesTo(documentWith())).toEqual([]);
  });

  it('finds none where an answer moves among the components, and looks there for others', () => {
    const shared = (schema) => {
      const document = documentWith({ responses: { 200: { $ref: '#/components/responses/Changed' } } });
      document.components.responses = { Changed: { description: 'Changed', ...json(schema) } };
      return document;
    };
    const same = shared({ $ref: '#/components/schemas/Thing' });
    expect(changesTo(same)).toEqual([]);
    expect(changesTo(shared(text), same)).not.toEqual([]);
  });

  it('finds none if things are only added', () => {
    const after = documentWith(
      {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: text },
          { name: 'expand', in: 'query', required: false, schema: text },
        ],
        responses: {
          200: { description: 'Changed', ...json({ $ref: '#/components/schemas/Thing' }) },
          409: { description: 'Conflict' },
        },
      },
      {
        Change: { ...Change, properties: { ...Change.properties, note: text } },
        Thing: {
          ...Thing,
          properties: {
            ...Thing.properties,
            colour: { ...Thing.properties.colour, enum: ['red', 'blue', 'green'] },
            id: text,
          },
          required: ['name', 'id'],
        },
      },
    );
    after.paths['/more'] = { get: { operationId: 'more', responses: {} } };
    expect(changesTo(after)).toEqual([]);
  });

  it('reports a removed path, operation and operation id', () => {
    expect(changesTo({ ...documentWith(), paths: {} })).toEqual([`${POST} is gone`]);
    const { post } = documentWith().paths['/things/{id}'];
    expect(changesTo({ ...documentWith(), paths: { '/things/{id}': { patch: post } } })).toEqual([
      `${POST} is gone`,
    ]);
    expect(changesTo(documentWith({ operationId: 'updateThing' }))).toEqual([
      `${POST}: operationId is now updateThing (was changeThing)`,
    ]);
  });

  it('reports removed and newly required parameters', () => {
    const id = { name: 'id', in: 'path', required: true, schema: text };
    const limit = (required) => ({ name: 'limit', in: 'query', required, schema: text });
    expect(changesTo(documentWith({ parameters: [id, limit(true)] }))).toEqual([
      `${POST}: query parameter limit is now required`,
    ]);
    const before = documentWith({ parameters: [id, limit(false)] });
    expect(changesTo(documentWith({ parameters: [id, limit(true)] }), before)).toEqual([
      `${POST}: query parameter limit is now required`,
    ]);
    expect(changesTo(documentWith(), before)).toEqual([`${POST}: query parameter limit is gone`]);
  });

  it('reports request fields that are removed, newly required or narrower', () => {
    const { name, size } = Change.properties;
    expect(changesTo(withChange({ required: ['name', 'size'] }))).toEqual([
      `${POST} request.size is now required`,
    ]);
    expect(changesTo(withChange({ properties: { name } }))).toEqual([`${POST} request.size is gone`]);
    expect(changesTo(withChange({ properties: { name: { ...name, maxLength: 5 }, size } }))).toEqual([
      `${POST} request.name: maxLength is now 5 (was not there)`,
    ]);
    expect(changesTo(withChange({ properties: { name: { ...name, enum: ['a'] }, size } }))).toEqual([
      `${POST} request.name does not take "any other value" any more`,
    ]);
    expect(changesTo(withChange({ properties: { name, size: text } }))).toEqual([
      `${POST} request.size does not take integer any more`,
    ]);
    expect(changesTo(withChange({ properties: { name, size: { type: 'number' } } }))).toEqual([]);
    expect(changesTo(documentWith(), documentWith({ requestBody: undefined }))).toEqual([
      `${POST}: a request body is now required`,
    ]);
  });

  it('reports response fields that are removed, now optional or of another type, at any depth', () => {
    const { name, parts, colour } = Thing.properties;
    expect(changesTo(withThing({ properties: { name, parts } }))).toEqual([`${POST} 200.colour is gone`]);
    expect(changesTo(withThing({ required: [] }))).toEqual([`${POST} 200.name can now be absent`]);
    const nullable = { ...colour, type: ['string', 'null'] };
    expect(changesTo(withThing({ properties: { name, parts, colour: nullable } }))).toEqual([
      `${POST} 200.colour can now be null`,
    ]);
    expect(changesTo(withThing({ properties: { name: text, parts, colour } }))).toEqual([]);
    const oneOf = (...types) => ({ name: { anyOf: types.map((type) => ({ type })) }, parts, colour });
    expect(
      changesTo(
        withThing({ properties: oneOf('string', 'object') }),
        withThing({ properties: oneOf('string') }),
      ),
    ).toEqual([`${POST} 200.name can now be type object`]);
    const list = { type: 'array', items: { type: 'object', properties: { inner: text } } };
    const empty = { type: 'array', items: { type: 'object', properties: {} } };
    expect(
      changesTo(withThing({ properties: { parts: empty } }), withThing({ properties: { parts: list } })),
    ).toEqual([`${POST} 200.parts[].inner is gone`]);
  });

  it('sees through allOf', () => {
    const composed = {
      allOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'object', properties: { id: text } }],
    };
    const before = documentWith({ responses: { 200: { description: '', ...json(composed) } } });
    const { name, parts } = Thing.properties;
    const after = structuredClone(before);
    after.components.schemas.Thing.properties = { name, parts };
    expect(changesTo(after, before)).toContain(`${POST} 200.colour is gone`);
    expect(changesTo(documentWith(), before)).toEqual([`${POST} 200.id is gone`]);
  });

  it('reports removed answers, but not errors', () => {
    const before = documentWith({ responses: { 201: { description: '' }, 409: { description: '' } } });
    expect(changesTo(documentWith({ responses: {} }), before)).toEqual([`${POST}: the answer 201 is gone`]);
  });

  it('reports credentials that are no longer accepted, and newly required permissions', () => {
    const key = documentWith({ security: [{ key: [] }, { session: [] }], 'x-required-permissions': ['a'] });
    expect(
      changesTo(documentWith({ security: [{ session: [] }], 'x-required-permissions': ['a', 'b'] }), key),
    ).toEqual([`${POST} now needs b`, `${POST} does not take key any more`]);
    expect(changesTo(key)).toEqual([`${POST} now needs a`, `${POST} now needs a credential`]);
    expect(changesTo(documentWith(), key)).toEqual([]);
  });
});

describe('problems of an OpenAPI document', () => {
  it('finds none in a good one', async () => {
    expect(await documentProblems(documentWith())).toEqual([]);
  });

  it('finds dangling references and missing names', async () => {
    const dangling = documentWith({
      responses: { 200: { description: '', ...json({ $ref: '#/components/schemas/No' }) } },
    });
    expect((await documentProblems(dangling)).join()).toContain('resolve');
    expect(await documentProblems(documentWith({ operationId: undefined }))).toHaveLength(1);
    expect(await documentProblems(documentWith({ parameters: [] }))).toHaveLength(1);
  });

  it('finds examples that their schema does not allow', async () => {
    const problems = await documentProblems(withChange({ example: { name: 5 } }));
    expect(problems.join()).toContain('Change/example');
    expect(await documentProblems(withChange({ example: { name: 'a' } }))).toEqual([]);
  });
});
