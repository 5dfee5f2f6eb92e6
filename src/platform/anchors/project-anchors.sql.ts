import { statement } from '../database/statement.js';

/** $2: an app, or empty for the project itself. A trigger may have been faster, see the migration. */
export const addAnchor = statement(
  'project_anchors.add',
  'INSERT INTO project_anchors (project_id, app_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
);

export const deleteAnchor = statement(
  'project_anchors.delete',
  'DELETE FROM project_anchors WHERE project_id = $1 AND app_id = $2',
);
