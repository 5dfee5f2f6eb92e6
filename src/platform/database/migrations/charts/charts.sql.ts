export const chartTables = `
ALTER TABLE projects ADD COLUMN week_starts_on text NOT NULL DEFAULT 'monday'
  CHECK (week_starts_on IN ('monday', 'sunday'));
ALTER TABLE customers ADD COLUMN first_seen_country text, ADD COLUMN first_seen_platform text,
  ADD COLUMN first_seen_app_version text;

-- What is not in the facts of charts yet: a changed purchase, or a customer.
CREATE TABLE chart_changes (
  project_id text NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  purchase_id text,
  customer_id text,
  changed_at timestamptz(3) NOT NULL,
  CHECK (num_nonnulls(purchase_id, customer_id) = 1),
  PRIMARY KEY (project_id, id)
);

-- The transaction that locks the row rolls up the project.
CREATE TABLE chart_projects (
  project_id text NOT NULL,
  -- Later days have no stored figures; null: no day has.
  closed_until date,
  -- A rebuild has marked the customers up to this id; null: there is none.
  rebuilt_until text,
  check_due_at timestamptz(3),
  -- The daily check goes on behind this customer.
  checked_until text NOT NULL DEFAULT '',
  PRIMARY KEY (project_id)
);

-- A table of its own, so that who changes a product does not wait for the rollup.
CREATE TABLE chart_rebuilds (
  project_id text NOT NULL,
  PRIMARY KEY (project_id)
);

-- Combinations of dimension values. A column is null where the level leaves it out, and empty for "no value".
CREATE TABLE chart_dims (
  project_id text NOT NULL,
  id uuid NOT NULL,
  level text NOT NULL,
  app_id text,
  store text,
  product_id text,
  product_duration text,
  channel text,
  country text,
  offering_identifier text,
  subscription_type text,
  transaction_type text,
  offer_type text,
  offer text,
  renewal_cycle text,
  customer_country text,
  platform text,
  app_version text,
  media_source text,
  campaign text,
  ad_group text,
  ad text,
  keyword text,
  creative text,
  install_month text,
  first_purchase_month text,
  PRIMARY KEY (project_id, id)
);
CREATE INDEX chart_dims_by_level ON chart_dims (project_id, level);

-- What a customer's purchases change at one time. Sums over them are the charts.
CREATE TABLE chart_facts (
  project_id text NOT NULL,
  customer_id text NOT NULL,
  purchase_id text NOT NULL,
  fact_key text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  at timestamptz(3) NOT NULL,
  -- The day whose exchange rates its money has.
  rate_day date NOT NULL,
  dims_id uuid NOT NULL,
  customer_dims_id uuid NOT NULL,
  -- The period on the other side of a renewal or change of product, if its dimensions differ.
  peer_dims_id uuid,
  run integer,
  move smallint NOT NULL,
  trials smallint,
  trials_new smallint,
  trials_converted smallint,
  actives smallint,
  monthly bigint,
  monthly_tax bigint,
  monthly_commission bigint,
  new_actives smallint,
  resubscribed smallint,
  churned smallint,
  from_trial smallint,
  from_intro smallint,
  revenue bigint,
  tax bigint,
  commission bigint,
  transactions smallint,
  refunded bigint,
  refunds smallint,
  refunded_later smallint,
  non_subscription smallint,
  PRIMARY KEY (project_id, customer_id, purchase_id, fact_key)
);
CREATE INDEX chart_facts_by_time ON chart_facts (project_id, environment, at);

-- Facts of past days, summed by the dimensions of a level.
CREATE TABLE chart_days (
  project_id text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  level text NOT NULL,
  dims_id uuid NOT NULL,
  day date NOT NULL,
  rate_day date NOT NULL,
  move smallint NOT NULL,
  -- All zeros: none.
  peer_dims_id uuid NOT NULL,
  trials integer,
  trials_new integer,
  trials_converted integer,
  actives integer,
  monthly bigint,
  monthly_tax bigint,
  monthly_commission bigint,
  new_actives integer,
  resubscribed integer,
  churned integer,
  from_trial integer,
  from_intro integer,
  revenue bigint,
  tax bigint,
  commission bigint,
  transactions integer,
  refunded bigint,
  refunds integer,
  refunded_later integer,
  non_subscription integer,
  PRIMARY KEY (project_id, environment, level, dims_id, day, rate_day, move, peer_dims_id)
);
CREATE INDEX chart_days_by_day ON chart_days (project_id, environment, level, day);

-- Past days whose facts changed since they were summed.
CREATE TABLE chart_dirty_days (
  project_id text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  day date NOT NULL,
  PRIMARY KEY (project_id, environment, day)
);

CREATE TABLE chart_customers (
  project_id text NOT NULL,
  customer_id text NOT NULL,
  cohort_day date NOT NULL,
  customer_dims_id uuid NOT NULL,
  PRIMARY KEY (project_id, customer_id)
);
CREATE INDEX chart_customers_by_cohort ON chart_customers (project_id, cohort_day, customer_dims_id);

CREATE TABLE chart_buyers (
  project_id text NOT NULL,
  customer_id text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  customer_dims_id uuid NOT NULL,
  first_conversion_day date NOT NULL,
  -- Of the first payment that was never refunded in full; null: there is none.
  first_paying_day date,
  PRIMARY KEY (project_id, customer_id, environment)
);
CREATE INDEX chart_buyers_by_conversion ON chart_buyers (project_id, environment, first_conversion_day);
CREATE INDEX chart_buyers_by_payment ON chart_buyers (project_id, environment, first_paying_day)
  WHERE first_paying_day IS NOT NULL;

-- What a customer bought in each time window after the cohort day; bit and element w belong to the w-th window.
CREATE TABLE chart_payers (
  project_id text NOT NULL,
  customer_id text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  dims_id uuid NOT NULL,
  customer_dims_id uuid NOT NULL,
  cohort_day date NOT NULL,
  converts integer NOT NULL,
  pays integer NOT NULL,
  revenue bigint[] NOT NULL,
  PRIMARY KEY (project_id, customer_id, environment, dims_id)
);
CREATE INDEX chart_payers_by_cohort ON chart_payers (project_id, environment, cohort_day);

-- Periods of one product without a lapse between them.
CREATE TABLE chart_runs (
  project_id text NOT NULL,
  customer_id text NOT NULL,
  purchase_id text NOT NULL,
  run integer NOT NULL,
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  customer_dims_id uuid NOT NULL,
  -- Of the latest period.
  dims_id uuid NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  paid_until timestamptz(3),
  ends_at timestamptz(3),
  is_trial boolean NOT NULL,
  is_renewing boolean NOT NULL,
  in_retry boolean NOT NULL,
  rate_day date NOT NULL,
  monthly bigint NOT NULL,
  last_payment bigint NOT NULL,
  -- Of the first standard paid period; null: there is none.
  cohort_dims_id uuid,
  cohort_at timestamptz(3),
  -- Bit k - 1: the k-th standard renewal was paid and not refunded in full.
  retained bigint NOT NULL,
  payments integer NOT NULL,
  PRIMARY KEY (project_id, customer_id, purchase_id, run)
);
CREATE INDEX chart_runs_by_cohort ON chart_runs (project_id, environment, cohort_at) WHERE cohort_at IS NOT NULL;
CREATE INDEX chart_runs_by_end ON chart_runs (project_id, environment, ends_at);

-- Projects that already have customers are built in the background.
INSERT INTO chart_rebuilds (project_id) SELECT id FROM projects WHERE deleted_at IS NULL;
`;
