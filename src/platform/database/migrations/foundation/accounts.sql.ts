/** Projects, people, sessions and keys. */
export const accountTables = `
CREATE TABLE projects (
  id text PRIMARY KEY,
  name text NOT NULL,
  transfer_behavior text NOT NULL DEFAULT 'transfer'
    CHECK (transfer_behavior IN ('transfer', 'transfer_if_no_active', 'keep', 'share')),
  sandbox_transfer_behavior text
    CHECK (sandbox_transfer_behavior IN ('transfer', 'transfer_if_no_active', 'keep', 'share')),
  catalog_version bigint NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL
);

CREATE TABLE users (
  id text PRIMARY KEY,
  email text NOT NULL UNIQUE,
  name text,
  password_hash text,
  email_verified boolean NOT NULL DEFAULT false,
  alert_emails boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL
);

CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  method text NOT NULL CHECK (method IN ('password', 'sso', 'reset', 'invite')),
  ip text,
  user_agent text,
  created_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id);

CREATE TABLE project_members (
  project_id text NOT NULL REFERENCES projects (id),
  user_id text NOT NULL REFERENCES users (id),
  role text NOT NULL CHECK (role IN ('admin', 'developer', 'viewer')),
  accepted_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, user_id)
);
CREATE INDEX project_members_by_user ON project_members (user_id, project_id);

CREATE TABLE api_keys (
  project_id text NOT NULL REFERENCES projects (id),
  id text NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  permissions text[] NOT NULL,
  key_hash bytea NOT NULL,
  created_by text,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  PRIMARY KEY (project_id, id)
);

-- A request names no project before its key is known: this small table leads from a key to its project.
CREATE TABLE credential_routes (
  key_hash bytea PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('public_key', 'secret_key')),
  project_id text NOT NULL,
  owner_id text NOT NULL
);
CREATE INDEX credential_routes_by_owner ON credential_routes (project_id, owner_id);

-- Fixed-window counters of account routes, shared by all replicas.
CREATE TABLE rate_limits (
  bucket text PRIMARY KEY,
  hits integer NOT NULL,
  resets_at timestamptz(3) NOT NULL
);
`;
