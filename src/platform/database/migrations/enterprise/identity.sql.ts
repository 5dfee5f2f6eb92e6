/** Sign-in through identity providers. */
export const ssoTables = `
CREATE TABLE sso_connections (
  org_id text NOT NULL,
  id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('saml', 'oidc')),
  name text NOT NULL,
  enabled boolean NOT NULL DEFAULT false,
  jit boolean NOT NULL DEFAULT true,
  -- Of its kind; without secrets.
  settings jsonb NOT NULL,
  sealed_client_secret text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id) REFERENCES organizations (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX sso_connections_by_id ON sso_connections (id);

CREATE TABLE sso_domains (
  org_id text NOT NULL,
  domain text NOT NULL,
  -- Value of the TXT record that proves it.
  token text NOT NULL,
  verified_at timestamptz(3),
  last_checked_at timestamptz(3),
  last_error text,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, domain),
  FOREIGN KEY (org_id) REFERENCES organizations (id) ON DELETE CASCADE
);
-- Of one organization at most.
CREATE UNIQUE INDEX sso_domains_verified ON sso_domains (domain) WHERE verified_at IS NOT NULL;

CREATE TABLE sso_login_states (
  org_id text NOT NULL,
  connection_id text NOT NULL,
  -- Of the SAML request's id, or of the state.
  state_hash bytea NOT NULL,
  nonce text,
  sealed_verifier text,
  next text NOT NULL,
  browser_hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  PRIMARY KEY (org_id, connection_id, state_hash),
  FOREIGN KEY (org_id, connection_id) REFERENCES sso_connections (org_id, id) ON DELETE CASCADE
);
-- For the job that deletes expired rows.
CREATE INDEX sso_login_states_by_expiry ON sso_login_states (expires_at);

-- An assertion is accepted once.
CREATE TABLE sso_seen_assertions (
  org_id text NOT NULL,
  connection_id text NOT NULL,
  assertion_hash bytea NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, connection_id, assertion_hash),
  FOREIGN KEY (org_id, connection_id) REFERENCES sso_connections (org_id, id) ON DELETE CASCADE
);
CREATE INDEX sso_seen_assertions_by_expiry ON sso_seen_assertions (expires_at);

-- The connection that a session began with, and its organization.
ALTER TABLE sessions ADD COLUMN sso_connection_id text;
ALTER TABLE sessions ADD COLUMN sso_org_id text;
CREATE INDEX sessions_by_connection ON sessions (sso_connection_id) WHERE sso_connection_id IS NOT NULL;
ALTER TABLE oauth_grants ADD COLUMN session_org_id text;
-- Who made the account, if not the person: its name then follows the identity provider.
ALTER TABLE users ADD COLUMN origin text CHECK (origin IN ('sso', 'scim'));
`;

/** Provisioning by identity providers. */
export const scimTables = `
CREATE TABLE scim_tokens (
  org_id text NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  -- The first characters, to tell tokens apart.
  prefix text NOT NULL,
  token_hash bytea NOT NULL,
  created_by text,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id) REFERENCES organizations (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX scim_tokens_by_hash ON scim_tokens (token_hash);

CREATE TABLE scim_users (
  org_id text NOT NULL,
  id text NOT NULL,
  -- The account; null for a user that was never active.
  user_id text,
  user_name text NOT NULL,
  external_id text,
  active boolean NOT NULL,
  -- The address that counts, in lower case.
  email text,
  -- As sent, without what the server adds.
  resource jsonb NOT NULL,
  version bigint NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id) REFERENCES organizations (id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE SET NULL
);
CREATE UNIQUE INDEX scim_users_name_unique ON scim_users (org_id, lower(user_name));
CREATE UNIQUE INDEX scim_users_account_unique ON scim_users (org_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX scim_users_by_external_id ON scim_users (org_id, external_id);
CREATE INDEX scim_users_by_email ON scim_users (org_id, email);
CREATE INDEX scim_users_by_creation ON scim_users (org_id, created_at, id);

CREATE TABLE scim_groups (
  org_id text NOT NULL,
  id text NOT NULL,
  display_name text NOT NULL,
  external_id text,
  resource jsonb NOT NULL,
  version bigint NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id) REFERENCES organizations (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX scim_groups_name_unique ON scim_groups (org_id, lower(display_name));
CREATE INDEX scim_groups_by_external_id ON scim_groups (org_id, external_id);
CREATE INDEX scim_groups_by_creation ON scim_groups (org_id, created_at, id);

-- One row a member: adding one to a large group rewrites nothing.
CREATE TABLE scim_group_members (
  org_id text NOT NULL,
  group_id text NOT NULL,
  scim_user_id text NOT NULL,
  PRIMARY KEY (org_id, group_id, scim_user_id),
  FOREIGN KEY (org_id, group_id) REFERENCES scim_groups (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, scim_user_id) REFERENCES scim_users (org_id, id) ON DELETE CASCADE
);
CREATE INDEX scim_group_members_by_user ON scim_group_members (org_id, scim_user_id, group_id);
`;
