/** Customers who sign in: providers, identities, sessions. */
export const signInTables = `
-- A project without a row has sign-in turned off.
CREATE TABLE auth_settings (
  project_id text NOT NULL,
  enabled boolean NOT NULL,
  allow_anonymous boolean NOT NULL,
  PRIMARY KEY (project_id),
  FOREIGN KEY (project_id) REFERENCES projects (id)
);

CREATE TABLE auth_providers (
  project_id text NOT NULL,
  id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('firebase', 'oidc')),
  name text NOT NULL,
  issuer text NOT NULL COLLATE "C",
  audiences text[] NOT NULL,
  firebase_project_id text,
  jwks_url text,
  app_user_id_claim text NOT NULL,
  app_user_id_prefix text NOT NULL,
  enabled boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CHECK ((kind = 'firebase') = (firebase_project_id IS NOT NULL)),
  PRIMARY KEY (project_id, id),
  CONSTRAINT auth_providers_issuer_unique UNIQUE (project_id, issuer),
  FOREIGN KEY (project_id) REFERENCES projects (id)
);

-- Who signed in, as their provider names them. The app user id leads to the customer, also after a merge.
CREATE TABLE auth_identities (
  project_id text NOT NULL,
  provider_id text NOT NULL,
  subject text NOT NULL COLLATE "C",
  app_user_id text NOT NULL COLLATE "C",
  logins integer NOT NULL,
  last_login_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, provider_id, subject),
  FOREIGN KEY (project_id, provider_id) REFERENCES auth_providers (project_id, id)
);
CREATE INDEX auth_identities_list ON auth_identities (project_id, provider_id, last_login_at DESC, subject DESC);
CREATE INDEX auth_identities_by_app_user_id ON auth_identities (project_id, app_user_id);
`;
