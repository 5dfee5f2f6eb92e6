/** Mails, each written with the change that causes it. */
export const mailTables = `
CREATE TABLE mails (
  tenant_id text NOT NULL,
  id text NOT NULL,
  kind text NOT NULL,
  -- Recipient and content: links are secrets. Null once the mail is sent or given up.
  sealed_content text,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'sent', 'failed')),
  attempts smallint NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL,
  lease_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  give_up_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3),
  last_error text,
  PRIMARY KEY (tenant_id, id),
  CHECK ((status = 'pending') = (sealed_content IS NOT NULL))
);
-- The job takes what is due, of every tenant.
CREATE INDEX mails_due ON mails (due_at) WHERE status = 'pending';
-- The clean-up deletes what is old, of every tenant.
CREATE INDEX mails_by_age ON mails (created_at) WHERE status <> 'pending';
`;
