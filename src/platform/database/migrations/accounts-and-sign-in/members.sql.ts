/** Invitations to projects. */
export const membersTables = `
CREATE TABLE invites (
  project_id text NOT NULL,
  id text NOT NULL,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('admin', 'developer', 'viewer')),
  -- Stays when the account is deleted.
  invited_by text NOT NULL,
  token_hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_sent_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, id),
  UNIQUE (project_id, email),
  FOREIGN KEY (project_id) REFERENCES projects (id)
);

-- Leads from the token of a link to the invite.
CREATE TABLE invite_routes (
  token_hash bytea NOT NULL,
  project_id text NOT NULL,
  invite_id text NOT NULL,
  PRIMARY KEY (token_hash),
  UNIQUE (project_id, invite_id),
  FOREIGN KEY (project_id, invite_id) REFERENCES invites (project_id, id) ON DELETE CASCADE
);
`;
