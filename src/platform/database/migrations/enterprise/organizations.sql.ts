/** Organizations, their people and projects, and their audit log. */
export const organizationTables = `
CREATE TABLE organizations (
  id text NOT NULL,
  name text NOT NULL,
  region text NOT NULL CHECK (region IN ('us', 'eu')),
  -- Null: the audit log is kept for ever.
  audit_retention_days integer,
  sso_enforced boolean NOT NULL DEFAULT false,
  -- Recorded, never enforced.
  seats integer,
  billing_email text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE organization_members (
  org_id text NOT NULL,
  user_id text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
  source text NOT NULL CHECK (source IN ('manual', 'sso', 'scim', 'project')),
  -- False once an identity provider has deactivated the person.
  active boolean NOT NULL DEFAULT true,
  -- As of the last sign-in through an identity provider.
  sso_groups text[] NOT NULL DEFAULT '{}',
  last_sso_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, user_id),
  FOREIGN KEY (org_id) REFERENCES organizations (id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX organization_members_by_user ON organization_members (user_id, org_id);

-- A project belongs to one organization at most.
CREATE TABLE organization_projects (
  org_id text NOT NULL,
  project_id text NOT NULL,
  region text NOT NULL CHECK (region IN ('us', 'eu')),
  added_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, project_id),
  CONSTRAINT organization_projects_project_unique UNIQUE (project_id),
  FOREIGN KEY (org_id) REFERENCES organizations (id),
  FOREIGN KEY (project_id) REFERENCES projects (id)
);

CREATE TABLE organization_audit_logs (
  org_id text NOT NULL,
  id text NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  action text NOT NULL,
  actor_type text NOT NULL CHECK (actor_type IN ('user', 'scim', 'sso', 'system')),
  actor_id text,
  actor_email text,
  target_type text NOT NULL,
  target_id text NOT NULL,
  data json NOT NULL,
  PRIMARY KEY (org_id, occurred_at, id),
  FOREIGN KEY (org_id) REFERENCES organizations (id) ON DELETE CASCADE
) PARTITION BY RANGE (occurred_at);
CREATE INDEX organization_audit_logs_by_id ON organization_audit_logs (org_id, id);
`;

/** Roles with chosen permissions, and roles by group of an identity provider. */
export const roleTables = `
CREATE TABLE custom_roles (
  org_id text NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  description text,
  -- Sorted; a read_write comes with its read.
  scopes text[] NOT NULL,
  -- Null: for every project of the organization.
  project_id text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id) REFERENCES organizations (id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, project_id) REFERENCES organization_projects (org_id, project_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX custom_roles_name_unique ON custom_roles (org_id, lower(name));
CREATE INDEX custom_roles_by_project ON custom_roles (project_id);

CREATE TABLE role_mappings (
  org_id text NOT NULL,
  id text NOT NULL,
  group_name text NOT NULL,
  project_id text NOT NULL,
  -- A built-in role, or the id of a custom one.
  role text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id) REFERENCES organizations (id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, project_id) REFERENCES organization_projects (org_id, project_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX role_mappings_group_unique ON role_mappings (org_id, lower(group_name), project_id);
CREATE INDEX role_mappings_by_project ON role_mappings (project_id);

-- 'role_...' is a custom role of the project's organization. An older server inserts without a source.
ALTER TABLE project_members ADD COLUMN source text NOT NULL DEFAULT 'manual'
  CHECK (source IN ('manual', 'org', 'idp'));
-- The role that a person was given by hand and has again when the organization gives none; null if source is manual.
ALTER TABLE project_members ADD COLUMN manual_role text;
ALTER TABLE project_members DROP CONSTRAINT project_members_role_check;
ALTER TABLE project_members ADD CONSTRAINT project_members_role_check
  CHECK (role IN ('admin', 'developer', 'viewer') OR role ~ '^role_[a-z0-9]+$');
`;
