import { type ImportStatus, isImporting } from './imports.queries.js';

const status = (last_import_at: number | null) => ({ last_import_at }) as ImportStatus;

it('runs while the import wrote something in the last two minutes', () => {
  expect(isImporting(status(null), 1_000_000)).toBe(false);
  expect(isImporting(status(1_000_000 - 119_000), 1_000_000)).toBe(true);
  expect(isImporting(status(1_000_000 - 120_000), 1_000_000)).toBe(false);
});
