export const insightsTables = `
-- The UTC days that customers were seen on.
CREATE TABLE customer_days (
  project_id text NOT NULL,
  customer_id text NOT NULL,
  day date NOT NULL,
  PRIMARY KEY (project_id, customer_id, day),
  FOREIGN KEY (project_id, customer_id) REFERENCES customers (project_id, id) ON DELETE CASCADE
);
CREATE INDEX customer_days_by_day ON customer_days (project_id, day, customer_id);

-- Purchases whose figures are not rolled up yet: one row with each change, in its transaction.
CREATE TABLE metric_changes (
  project_id text NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  purchase_id text NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (project_id, id)
);

-- Changes not yet added to metric_customer_days, so that writers of one project do not wait for each other.
CREATE TABLE metric_customer_changes (
  project_id text NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  day date NOT NULL,
  first_seen integer NOT NULL,
  last_seen integer NOT NULL,
  PRIMARY KEY (project_id, id)
);

CREATE TABLE metric_customer_days (
  project_id text NOT NULL,
  day date NOT NULL,
  first_seen integer NOT NULL,
  last_seen integer NOT NULL,
  PRIMARY KEY (project_id, day)
) WITH (fillfactor = 80);

-- metric_periods summed by UTC day. Trials, subscriptions and prices are changes: begun minus ended that day.
CREATE TABLE metric_days (
  project_id text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  day date NOT NULL,
  app_id text NOT NULL,
  store_product_id text NOT NULL,
  length_units integer NOT NULL,
  trials integer NOT NULL,
  subscriptions integer NOT NULL,
  price_micros bigint NOT NULL,
  revenue_micros bigint NOT NULL,
  transactions integer NOT NULL,
  PRIMARY KEY (project_id, environment, day, app_id, store_product_id, length_units)
) WITH (fillfactor = 80);

CREATE TABLE metric_hours (
  project_id text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  hour timestamptz(0) NOT NULL,
  app_id text NOT NULL,
  store_product_id text NOT NULL,
  length_units integer NOT NULL,
  trials integer NOT NULL,
  subscriptions integer NOT NULL,
  price_micros bigint NOT NULL,
  revenue_micros bigint NOT NULL,
  transactions integer NOT NULL,
  PRIMARY KEY (project_id, environment, hour, app_id, store_product_id, length_units)
) WITH (fillfactor = 80);

-- What each billing period or one-time purchase contributes: while it gives access, and once when bought.
CREATE TABLE metric_periods (
  project_id text NOT NULL,
  purchase_id text NOT NULL,
  period_key text NOT NULL,
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  app_id text NOT NULL,
  store_product_id text NOT NULL,
  length_units integer NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3),
  trials integer NOT NULL,
  subscriptions integer NOT NULL,
  price_micros bigint NOT NULL,
  revenue_micros bigint NOT NULL,
  transactions integer NOT NULL,
  PRIMARY KEY (project_id, purchase_id, period_key)
);
CREATE INDEX metric_periods_by_end ON metric_periods (project_id, environment, ends_at) WHERE ends_at IS NOT NULL;
CREATE INDEX metric_periods_by_start ON metric_periods (project_id, environment, starts_at);

-- The transaction that locks the row rolls up the project.
CREATE TABLE metric_projects (
  project_id text NOT NULL,
  PRIMARY KEY (project_id)
);

-- Units of each currency per USD by day, as the provider answered. A stored day never changes.
CREATE TABLE exchange_rates (
  day date NOT NULL,
  source text NOT NULL,
  rates json NOT NULL,
  fetched_at timestamptz(3) NOT NULL,
  PRIMARY KEY (day)
);

CREATE TABLE exchange_rate_feeds (
  source text NOT NULL,
  next_fetch_at timestamptz(3) NOT NULL,
  PRIMARY KEY (source)
);

-- Adds (1) or subtracts (-1) the periods of a statement, by the UTC hours in which they begin and end.
CREATE FUNCTION add_metric_hours() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE sign integer := TG_ARGV[0];
BEGIN
  INSERT INTO metric_hours AS h (project_id, environment, hour, app_id, store_product_id, length_units, trials,
    subscriptions, price_micros, revenue_micros, transactions)
  SELECT m.project_id, m.environment, m.hour, m.app_id, m.store_product_id, m.length_units, sign * sum(m.trials),
    sign * sum(m.subscriptions), sign * sum(m.price_micros), sign * sum(m.revenue_micros), sign * sum(m.transactions)
  FROM (
    SELECT project_id, environment, date_trunc('hour', starts_at, 'UTC') AS hour, app_id, store_product_id,
      length_units, trials, subscriptions, price_micros, revenue_micros, transactions
    FROM changed
    UNION ALL
    SELECT project_id, environment, date_trunc('hour', ends_at, 'UTC'), app_id, store_product_id,
      length_units, -trials, -subscriptions, -price_micros, 0, 0
    FROM changed WHERE ends_at IS NOT NULL
  ) m
  -- Nothing is counted while a whole project is being removed.
  JOIN projects p ON p.id = m.project_id AND p.deleted_at IS NULL
  GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (project_id, environment, hour, app_id, store_product_id, length_units) DO UPDATE SET
    trials = h.trials + excluded.trials,
    subscriptions = h.subscriptions + excluded.subscriptions,
    price_micros = h.price_micros + excluded.price_micros,
    revenue_micros = h.revenue_micros + excluded.revenue_micros,
    transactions = h.transactions + excluded.transactions;
  RETURN NULL;
END
$$;
CREATE TRIGGER metric_periods_added AFTER INSERT ON metric_periods REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION add_metric_hours('1');
CREATE TRIGGER metric_periods_removed AFTER DELETE ON metric_periods REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT
  EXECUTE FUNCTION add_metric_hours('-1');
`;
