/** People: second factor, sessions by id, links in mails. */
export const accountsTables = `
ALTER TABLE users
  ADD COLUMN two_factor_enabled_at timestamptz(3),
  ADD COLUMN sealed_totp_secret text,
  ADD COLUMN totp_last_step bigint;

CREATE TABLE recovery_codes (
  user_id text NOT NULL,
  code_hash bytea NOT NULL,
  PRIMARY KEY (user_id, code_hash),
  FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

-- Sign-ins between the password and the code.
CREATE TABLE login_attempts (
  token_hash bytea NOT NULL,
  user_id text NOT NULL,
  method text NOT NULL CHECK (method IN ('password', 'sso', 'reset', 'invite')),
  wrong_codes smallint NOT NULL DEFAULT 0,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (token_hash),
  FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX login_attempts_by_user ON login_attempts (user_id);

-- The default is for servers of 0.1.0, which start sessions without an id.
ALTER TABLE sessions ADD COLUMN id text NOT NULL
  DEFAULT 'ses_' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 16);
CREATE UNIQUE INDEX sessions_of_user ON sessions (user_id, id);

-- Links in mails; the unique index keeps one of a purpose open.
CREATE TABLE account_links (
  token_hash bytea NOT NULL,
  user_id text NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('reset_password', 'verify_email', 'change_email')),
  email text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  ended_by text CHECK (ended_by IN ('used', 'replaced')),
  CHECK ((ended_at IS NULL) = (ended_by IS NULL)),
  PRIMARY KEY (token_hash),
  FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX account_links_by_user ON account_links (user_id);
CREATE UNIQUE INDEX account_links_open ON account_links (user_id, purpose) WHERE ended_at IS NULL;
CREATE INDEX account_links_by_expiry ON account_links (expires_at);
`;
