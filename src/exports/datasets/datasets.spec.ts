import { readFileSync } from 'node:fs';
import { datasets, findDataset } from './datasets.js';
import { parquetSchema } from './parquet-schema.js';

/** The promise to consumers: these files never change, and a new version of a data set has a new one. */
const golden = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`golden/${name}.json`, import.meta.url), 'utf8'));

describe('data sets', () => {
  it.each(datasets.map((dataset) => [`${dataset.name}-${dataset.version}`, dataset] as const))(
    'keeps the header of CSV and the schema of Parquet: %s',
    (name, dataset) => {
      const header = dataset.columns.map((column) => column.name).join(',');
      expect({ csv: header, parquet: parquetSchema(dataset) }).toEqual(golden(name));
    },
  );

  it('has the 44 columns of the vendor in transactions', () => {
    expect(findDataset('transactions')?.columns).toHaveLength(44);
  });

  it('describes each column in one sentence', () => {
    const descriptions = datasets.flatMap(({ columns }) => columns.map(({ description }) => description));
    expect(descriptions.filter((text) => !/^\S.*\.$/.test(text))).toEqual([]);
  });

  it('finds a version, or the newest', () => {
    expect(findDataset('transactions', 5)).toBe(findDataset('transactions'));
    expect(findDataset('transactions', 4)).toBeNull();
  });
});
