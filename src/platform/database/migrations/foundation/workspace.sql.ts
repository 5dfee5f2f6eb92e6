export const workspaceTables = `
CREATE TABLE users (
  id text NOT NULL,
  email text NOT NULL,
  name text,
  password_hash text,
  email_verified boolean NOT NULL DEFAULT false,
  alert_emails boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL,
  UNIQUE (email),
  PRIMARY KEY (id)
);

CREATE TABLE sessions (
  token_hash bytea NOT NULL,
  user_id text NOT NULL,
  method text NOT NULL CHECK (method IN ('password', 'sso', 'reset', 'invite')),
  ip text,
  user_agent text,
  created_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (token_hash),
  FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX sessions_by_user ON sessions (user_id);

CREATE TABLE projects (
  id text NOT NULL,
  name text NOT NULL,
  transfer_behavior text NOT NULL DEFAULT 'transfer' CHECK (transfer_behavior IN (
      'transfer', 'transfer_if_no_active', 'keep', 'share')),
  sandbox_transfer_behavior text CHECK (sandbox_transfer_behavior IN (
      'transfer', 'transfer_if_no_active', 'keep', 'share')),
  catalog_version bigint NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  purge_due_at timestamptz(3),
  has_offering_overrides boolean NOT NULL DEFAULT false,
  purge_lease_until timestamptz(3),
  CONSTRAINT projects_deleted_are_purged CHECK ((deleted_at IS NULL) = (purge_due_at IS NULL)),
  PRIMARY KEY (id)
);
CREATE INDEX projects_purge_queue ON projects (purge_due_at) WHERE purge_due_at IS NOT NULL;

CREATE TABLE project_members (
  project_id text NOT NULL,
  user_id text NOT NULL,
  role text NOT NULL CHECK (role IN ('admin', 'developer', 'viewer')),
  accepted_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, user_id),
  FOREIGN KEY (project_id) REFERENCES projects (id),
  FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE INDEX project_members_by_user ON project_members (user_id, project_id);

CREATE TABLE api_keys (
  project_id text NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  permissions text[] NOT NULL,
  key_hash bytea NOT NULL,
  created_by text,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  PRIMARY KEY (project_id, id),
  FOREIGN KEY (project_id) REFERENCES projects (id)
);

CREATE TABLE audit_logs (
  project_id text NOT NULL,
  id text NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  action_type text NOT NULL,
  target_type text NOT NULL,
  target_identifier text NOT NULL,
  actor_type text NOT NULL CHECK (actor_type IN ('user', 'system', 'api_key', 'oauth_client', 'scim')),
  actor_identifier text NOT NULL,
  additional_data json NOT NULL,
  PRIMARY KEY (project_id, occurred_at, id),
  FOREIGN KEY (project_id) REFERENCES projects (id)
) PARTITION BY RANGE (occurred_at);
CREATE INDEX audit_logs_by_id ON audit_logs (project_id, id);

CREATE TABLE idempotency_keys (
  tenant_id text NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  claim_id text NOT NULL,
  lease_until timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  -- The transaction that executed the request.
  carried_out_in xid8,
  status smallint,
  sealed_body text,
  app_user_id text,
  other_app_user_ids text[],
  PRIMARY KEY (tenant_id, key)
);
-- Few rows have a customer, so the index stays small.
CREATE INDEX idempotency_keys_by_customer ON idempotency_keys (tenant_id, app_user_id) WHERE app_user_id IS NOT NULL;
-- For the job that deletes expired rows.
CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
CREATE INDEX idempotency_keys_of_several ON idempotency_keys (tenant_id) WHERE other_app_user_ids IS NOT NULL;

-- Fixed-window counters of account routes, shared by all replicas.
CREATE TABLE rate_limits (
  bucket text NOT NULL,
  hits integer NOT NULL,
  resets_at timestamptz(3) NOT NULL,
  tenant_id text NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, bucket)
);
`;
