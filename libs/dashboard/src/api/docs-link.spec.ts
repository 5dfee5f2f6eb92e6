import { readFileSync } from 'node:fs';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

it('finds every part of the documentation that pages link to', () => {
  const { paths } = JSON.parse(read('../../../../docs/openapi.json')) as {
    paths: Record<string, Record<string, { tags?: string[] }>>;
  };
  const tags = new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap((of) => of.tags)));
  const linked = [...read('./docs-link.ts').matchAll(/\| '([^']+)'/g)].map(([, tag]) => tag);
  expect(linked.length).toBeGreaterThan(10);
  expect(linked.filter((tag) => !tags.has(tag))).toEqual([]);
});
