import { statement } from '../../platform/database/statement.js';

export const bump = statement(
  'catalog.bump_version',
  `UPDATE projects SET catalog_version = catalog_version + 1 WHERE id = $1 AND deleted_at IS NULL RETURNING id`,
);

export const markOverrides = statement(
  'catalog.mark_offering_overrides',
  `UPDATE projects SET has_offering_overrides = true, catalog_version = catalog_version + 1
   WHERE id = $1 AND NOT has_offering_overrides RETURNING id`,
);

export const markImports = statement(
  'catalog.mark_imports',
  `UPDATE projects SET has_imports = true, catalog_version = catalog_version + 1
   WHERE id = $1 AND NOT has_imports RETURNING id`,
);
