import { readFileSync } from 'node:fs';
import { charts } from './chart-list.js';

const document = JSON.parse(
  readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'),
) as Record<'paths', Record<string, Record<string, { description: string }>>>;

it('lists the charts that the API has, as its document names them', () => {
  const { description } = document.paths['/v2/projects/{project_id}/charts/{chart_name}']!.get!;
  const names = /There are ([\w, -]+)\./.exec(description)?.[1]?.split(', ') ?? [];
  expect(names.length).toBeGreaterThan(0);
  expect(charts.map(({ id }) => id).sort()).toEqual(names.sort());
});
