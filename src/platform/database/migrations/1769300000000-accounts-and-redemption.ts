import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One row for each refresh token that was replaced: by it a repetition differs from a theft. */
const replacedRefreshTokens = `
ALTER TABLE customer_sessions
  ADD COLUMN generation integer NOT NULL DEFAULT 1,
  ADD COLUMN generation_used_at timestamptz(3);
CREATE TABLE replaced_customer_tokens (
  project_id text NOT NULL,
  session_id text NOT NULL,
  generation integer NOT NULL,
  refresh_hash bytea NOT NULL,
  issued_at timestamptz(3) NOT NULL,
  replaced_at timestamptz(3) NOT NULL,
  -- The next token, sealed with this one.
  sealed_successor text,
  PRIMARY KEY (project_id, session_id, generation),
  FOREIGN KEY (project_id, session_id) REFERENCES customer_sessions (project_id, id) ON DELETE CASCADE
);
-- For the job that deletes old rows.
CREATE INDEX replaced_customer_tokens_by_issue ON replaced_customer_tokens (issued_at);

ALTER TABLE oauth_grants
  ADD COLUMN generation integer NOT NULL DEFAULT 1,
  ADD COLUMN generation_used_at timestamptz(3);
CREATE TABLE replaced_oauth_tokens (
  project_id text NOT NULL,
  grant_id text NOT NULL,
  generation integer NOT NULL,
  refresh_hash bytea NOT NULL,
  issued_at timestamptz(3) NOT NULL,
  replaced_at timestamptz(3) NOT NULL,
  sealed_successor text,
  PRIMARY KEY (project_id, grant_id, generation),
  FOREIGN KEY (project_id, grant_id) REFERENCES oauth_grants (project_id, id) ON DELETE CASCADE
);
CREATE INDEX replaced_oauth_tokens_by_issue ON replaced_oauth_tokens (issued_at);

-- Access tokens of the current refresh token beside the first one.
CREATE TABLE oauth_repeated_access_tokens (
  token_hash bytea NOT NULL,
  project_id text NOT NULL,
  grant_id text NOT NULL,
  scopes text[] NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (token_hash),
  FOREIGN KEY (project_id, grant_id) REFERENCES oauth_grants (project_id, id) ON DELETE CASCADE
);
CREATE INDEX oauth_repeated_access_tokens_by_grant ON oauth_repeated_access_tokens (project_id, grant_id)`;

/** Browsers in which people have signed in. Wrong passwords of strangers do not lock these out. */
const knownDevices = `
CREATE TABLE known_devices (
  user_id text NOT NULL,
  device_hash bytea NOT NULL,
  last_used_at timestamptz(3) NOT NULL,
  PRIMARY KEY (user_id, device_hash),
  FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
)`;

export class AccountsAndRedemption1769300000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Existing rows satisfy the wider check, so the table is not read.
    await queryRunner.query(
      `ALTER TABLE customer_attributes
         DROP CONSTRAINT customer_attributes_source_check,
         ADD CONSTRAINT customer_attributes_source_check CHECK (source IN ('sdk', 'receipt', 'api')) NOT VALID`,
    );
    await queryRunner.query(replacedRefreshTokens);
    await queryRunner.query(knownDevices);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
