import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A row of each project, and of each of its apps. Statements that insert rows start at it, and would insert nothing for
 * a project without one. So until the next release triggers add the rows of projects and apps that an older server
 * creates.
 */
const anchors = `
CREATE TABLE project_anchors (
  project_id text NOT NULL REFERENCES projects (id),
  app_id text NOT NULL,
  PRIMARY KEY (project_id, app_id)
);

CREATE FUNCTION anchor_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO project_anchors (project_id, app_id) VALUES (NEW.id, '') ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE FUNCTION anchor_app() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM project_anchors WHERE project_id = OLD.project_id AND app_id = OLD.id;
  ELSE
    INSERT INTO project_anchors (project_id, app_id) VALUES (NEW.project_id, NEW.id) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER projects_anchored AFTER INSERT ON projects FOR EACH ROW EXECUTE FUNCTION anchor_project();
CREATE TRIGGER apps_anchored AFTER INSERT OR DELETE ON apps FOR EACH ROW EXECUTE FUNCTION anchor_app();

INSERT INTO project_anchors (project_id, app_id) SELECT id, '' FROM projects UNION ALL SELECT project_id, id FROM apps;
`;

export class ProjectAnchors1797145000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(anchors);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
