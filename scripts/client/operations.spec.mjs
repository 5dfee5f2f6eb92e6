import { aliasesOf, idempotentPostsOf } from './operations.mjs';

const key = { name: 'Idempotency-Key', in: 'header' };
const operation = (operationId, parameters = []) => ({ operationId, parameters });

describe('the vendor names of operations', () => {
  const document = {
    paths: {
      '/v2/charts/{chart_name}': { get: operation('getChart') },
      '/v2/apps': { get: operation('listApps') },
    },
  };
  const GET_CHART = 'GET /v2/charts/{chart_name}';

  it('become aliases where an operation has another name here', () => {
    const names = { getChartData: GET_CHART, listApps: 'GET /v2/apps' };
    expect(aliasesOf(document, names)).toEqual([{ alias: 'getChartData', name: 'getChart' }]);
  });

  it('fail the build without an operation, and with the name of another one', () => {
    expect(() => aliasesOf(document, { listFonts: 'GET /v2/fonts' })).toThrow('listFonts,GET /v2/fonts');
    expect(() => aliasesOf(document, { getChart: 'GET /v2/charts/{name}' })).toThrow('no operation');
    expect(() => aliasesOf(document, { listApps: GET_CHART })).toThrow('listApps');
  });
});

describe('POST operations that are safe to repeat', () => {
  it('finds them by a prefix below which all have a key, else by path', () => {
    const paths = {
      '/v2/a': { post: operation('a', [key]), get: operation('list') },
      '/v2/a/{id}': { post: operation('b', [key]) },
      '/v1/spend': { post: operation('c', [key]) },
      '/v1/receipts': { post: operation('d') },
    };
    expect(idempotentPostsOf({ paths })).toEqual({ prefixes: ['/v2/'], paths: ['/v1/spend'] });
  });

  it('throws for a path with parameters below another prefix', () => {
    const paths = { '/v1/{id}/spend': { post: operation('a', [key]) }, '/v1/b': { post: operation('b') } };
    expect(() => idempotentPostsOf({ paths })).toThrow('/v1/{id}/spend');
  });
});
