/** Programs that people let in on a project. */
export const oauthTables = `
-- Of nobody until a person lets one in. The id of a client with a metadata document is the document's address.
CREATE TABLE oauth_clients (
  id text NOT NULL COLLATE "C",
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  client_uri text,
  logo_uri text,
  grant_types text[] NOT NULL,
  application_type text,
  scope text,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3) NOT NULL,
  -- Null for a client that registered itself.
  document_fresh_until timestamptz(3),
  PRIMARY KEY (id)
);
-- For the job that deletes unused rows.
CREATE INDEX oauth_clients_by_use ON oauth_clients (last_used_at);

-- A grant that ends is deleted, also with the membership that it rests on.
CREATE TABLE oauth_grants (
  project_id text NOT NULL,
  id text NOT NULL,
  user_id text NOT NULL,
  client_id text NOT NULL COLLATE "C",
  client_name text NOT NULL,
  redirect_uri text NOT NULL,
  scopes text[] NOT NULL,
  audience text NOT NULL CHECK (audience IN ('any', 'mcp', 'v2')),
  -- How the session began in which the person agreed.
  session_method text NOT NULL,
  code_challenge text NOT NULL,
  -- Null until the client has exchanged its code.
  code_used_at timestamptz(3),
  access_hash bytea,
  access_scopes text[],
  access_expires_at timestamptz(3),
  refresh_hash bytea,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  -- Of the code, then of the refresh token.
  expires_at timestamptz(3) NOT NULL,
  CHECK ((code_used_at IS NULL) = (access_hash IS NULL) AND (code_used_at IS NULL) = (refresh_hash IS NULL)),
  PRIMARY KEY (project_id, id),
  FOREIGN KEY (project_id, user_id) REFERENCES project_members (project_id, user_id) ON DELETE CASCADE
) WITH (fillfactor = 80);
CREATE INDEX oauth_grants_by_member ON oauth_grants (project_id, user_id);
CREATE INDEX oauth_grants_by_user ON oauth_grants (user_id, created_at, id);
-- For the job that deletes expired rows.
CREATE INDEX oauth_grants_by_expiry ON oauth_grants (expires_at);

-- Leads from the hash of a code, an access token or a family of refresh tokens to the grant.
CREATE TABLE oauth_grant_routes (
  token_hash bytea NOT NULL,
  project_id text NOT NULL,
  grant_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('code', 'access', 'refresh')),
  PRIMARY KEY (token_hash),
  UNIQUE (project_id, grant_id, kind),
  FOREIGN KEY (project_id, grant_id) REFERENCES oauth_grants (project_id, id) ON DELETE CASCADE
);
`;
