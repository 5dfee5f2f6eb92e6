/** Sessions of customers who signed in to an app. */
export const customerSessionsTables = `
-- A session that ends is deleted.
CREATE TABLE customer_sessions (
  project_id text NOT NULL,
  id text NOT NULL,
  app_id text NOT NULL,
  app_user_id text NOT NULL COLLATE "C",
  method text NOT NULL CHECK (method IN ('anonymous', 'oidc', 'google', 'apple', 'facebook', 'firebase')),
  provider_id text,
  subject text,
  -- Every refresh token of a session begins with the same secret.
  family_hash bytea NOT NULL,
  refresh_hash bytea NOT NULL,
  signed_in_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CHECK ((provider_id IS NULL) = (method = 'anonymous')),
  CHECK ((provider_id IS NULL) = (subject IS NULL)),
  PRIMARY KEY (project_id, id),
  UNIQUE (project_id, family_hash)
) WITH (fillfactor = 80);
CREATE INDEX customer_sessions_by_app_user_id ON customer_sessions (project_id, app_user_id);
CREATE INDEX customer_sessions_by_identity ON customer_sessions (project_id, provider_id, subject)
  WHERE provider_id IS NOT NULL;
-- For the job that deletes expired rows.
CREATE INDEX customer_sessions_by_expiry ON customer_sessions (expires_at);

-- Access tokens that ended before their session.
CREATE TABLE revoked_access_tokens (
  project_id text NOT NULL,
  id text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, id)
);
CREATE INDEX revoked_access_tokens_by_expiry ON revoked_access_tokens (expires_at);
`;
