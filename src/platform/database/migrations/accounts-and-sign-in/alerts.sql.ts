/** Problems of projects that people are told about by mail, and which notifications came by themselves. */
export const alertsTables = `
CREATE TABLE project_alerts (
  project_id text NOT NULL,
  cause text NOT NULL CHECK (cause IN ('webhook_failing', 'credentials_refused', 'notifications_silent')),
  -- The webhook integration or the app.
  subject_id text NOT NULL,
  -- The same, if it is an app: the alert goes with it.
  app_id text,
  details json NOT NULL,
  opened_at timestamptz(3) NOT NULL,
  resolved_at timestamptz(3),
  -- Whether the last mail said that there is a problem.
  is_reported boolean NOT NULL DEFAULT false,
  problem_mailed_at timestamptz(3),
  recovery_mailed_at timestamptz(3),
  PRIMARY KEY (project_id, cause, subject_id),
  FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE
);

-- Read from the store's history: the store could not reach this server.
ALTER TABLE store_notifications ADD COLUMN was_missed boolean NOT NULL DEFAULT false;
`;
