/** Every index that the migrations create, by name (generated: `npm run schema:indexes`). */
export const expectedIndexes: Readonly<Record<string, string>> = {
  PK_8c82d7f526340ab734260ea46be:
    'CREATE UNIQUE INDEX "PK_8c82d7f526340ab734260ea46be" ON public.migrations USING btree (id)',
  account_links_by_expiry:
    'CREATE INDEX account_links_by_expiry ON public.account_links USING btree (expires_at)',
  account_links_by_user: 'CREATE INDEX account_links_by_user ON public.account_links USING btree (user_id)',
  account_links_open:
    'CREATE UNIQUE INDEX account_links_open ON public.account_links USING btree (user_id, purpose) WHERE (ended_at IS NULL)',
  account_links_pkey:
    'CREATE UNIQUE INDEX account_links_pkey ON public.account_links USING btree (token_hash)',
  api_keys_pkey: 'CREATE UNIQUE INDEX api_keys_pkey ON public.api_keys USING btree (project_id, id)',
  app_routes_by_project:
    'CREATE INDEX app_routes_by_project ON public.app_routes USING btree (project_id, app_id)',
  app_routes_pkey: 'CREATE UNIQUE INDEX app_routes_pkey ON public.app_routes USING btree (app_id)',
  apps_pkey: 'CREATE UNIQUE INDEX apps_pkey ON public.apps USING btree (project_id, id)',
  apps_project_id_public_key_key:
    'CREATE UNIQUE INDEX apps_project_id_public_key_key ON public.apps USING btree (project_id, public_key)',
  audit_logs_by_action:
    'CREATE INDEX audit_logs_by_action ON public.audit_logs USING btree (project_id, action_type, occurred_at, id)',
  audit_logs_by_actor:
    'CREATE INDEX audit_logs_by_actor ON public.audit_logs USING btree (project_id, actor_identifier, occurred_at, id)',
  audit_logs_by_id: 'CREATE INDEX audit_logs_by_id ON public.audit_logs USING btree (project_id, id)',
  audit_logs_by_target:
    'CREATE INDEX audit_logs_by_target ON public.audit_logs USING btree (project_id, target_identifier, occurred_at, id)',
  audit_logs_pkey:
    'CREATE UNIQUE INDEX audit_logs_pkey ON public.audit_logs USING btree (project_id, occurred_at, id)',
  auth_identities_by_app_user_id:
    'CREATE INDEX auth_identities_by_app_user_id ON public.auth_identities USING btree (project_id, app_user_id)',
  auth_identities_list:
    'CREATE INDEX auth_identities_list ON public.auth_identities USING btree (project_id, provider_id, last_login_at DESC, subject DESC)',
  auth_identities_pkey:
    'CREATE UNIQUE INDEX auth_identities_pkey ON public.auth_identities USING btree (project_id, provider_id, subject)',
  auth_providers_issuer_unique:
    'CREATE UNIQUE INDEX auth_providers_issuer_unique ON public.auth_providers USING btree (project_id, issuer)',
  auth_providers_pkey:
    'CREATE UNIQUE INDEX auth_providers_pkey ON public.auth_providers USING btree (project_id, id)',
  auth_settings_pkey:
    'CREATE UNIQUE INDEX auth_settings_pkey ON public.auth_settings USING btree (project_id)',
  blocked_customers_list:
    'CREATE INDEX blocked_customers_list ON public.blocked_customers USING btree (project_id, blocked_at DESC, app_user_id DESC)',
  blocked_customers_pkey:
    'CREATE UNIQUE INDEX blocked_customers_pkey ON public.blocked_customers USING btree (project_id, app_user_id)',
  chart_active_days_by_day:
    'CREATE INDEX chart_active_days_by_day ON public.chart_active_days USING btree (project_id, level, day)',
  chart_active_days_pkey:
    'CREATE UNIQUE INDEX chart_active_days_pkey ON public.chart_active_days USING btree (project_id, level, value_hash, day, gap)',
  chart_active_marks_pkey:
    'CREATE UNIQUE INDEX chart_active_marks_pkey ON public.chart_active_marks USING btree (project_id, day, id)',
  chart_attribute_values_pkey:
    'CREATE UNIQUE INDEX chart_attribute_values_pkey ON public.chart_attribute_values USING btree (project_id, name, value_hash)',
  chart_buyers_by_conversion:
    'CREATE INDEX chart_buyers_by_conversion ON public.chart_buyers USING btree (project_id, environment, first_conversion_day)',
  chart_buyers_by_payment:
    'CREATE INDEX chart_buyers_by_payment ON public.chart_buyers USING btree (project_id, environment, first_paying_day) WHERE (first_paying_day IS NOT NULL)',
  chart_buyers_pkey:
    'CREATE UNIQUE INDEX chart_buyers_pkey ON public.chart_buyers USING btree (project_id, customer_id, environment)',
  chart_changes_pkey:
    'CREATE UNIQUE INDEX chart_changes_pkey ON public.chart_changes USING btree (project_id, id)',
  chart_cohort_counts_pkey:
    'CREATE UNIQUE INDEX chart_cohort_counts_pkey ON public.chart_cohort_counts USING btree (project_id, environment, cohort_day, time_window)',
  chart_cohort_days_by_day:
    'CREATE INDEX chart_cohort_days_by_day ON public.chart_cohort_days USING btree (project_id, environment, day)',
  chart_cohort_days_pkey:
    'CREATE UNIQUE INDEX chart_cohort_days_pkey ON public.chart_cohort_days USING btree (project_id, environment, kind, cohort_day, day, rate_day)',
  chart_cohort_money_pkey:
    'CREATE UNIQUE INDEX chart_cohort_money_pkey ON public.chart_cohort_money USING btree (project_id, environment, cohort_day, time_window, rate_day)',
  chart_cohort_sums_pkey:
    'CREATE UNIQUE INDEX chart_cohort_sums_pkey ON public.chart_cohort_sums USING btree (project_id, environment, level, set_hash, cohort_day)',
  chart_customers_by_cohort:
    'CREATE INDEX chart_customers_by_cohort ON public.chart_customers USING btree (project_id, cohort_day, customer_dims_id)',
  chart_customers_pkey:
    'CREATE UNIQUE INDEX chart_customers_pkey ON public.chart_customers USING btree (project_id, customer_id)',
  chart_days_by_day:
    'CREATE INDEX chart_days_by_day ON public.chart_days USING btree (project_id, environment, level, day)',
  chart_days_pkey:
    'CREATE UNIQUE INDEX chart_days_pkey ON public.chart_days USING btree (project_id, environment, level, dims_id, day, rate_day, move, peer_dims_id)',
  chart_dims_by_level:
    'CREATE INDEX chart_dims_by_level ON public.chart_dims USING btree (project_id, level)',
  chart_dims_pkey: 'CREATE UNIQUE INDEX chart_dims_pkey ON public.chart_dims USING btree (project_id, id)',
  chart_dirty_days_pkey:
    'CREATE UNIQUE INDEX chart_dirty_days_pkey ON public.chart_dirty_days USING btree (project_id, environment, day)',
  chart_facts_by_time:
    'CREATE INDEX chart_facts_by_time ON public.chart_facts USING btree (project_id, environment, at)',
  chart_facts_ending_trials:
    'CREATE INDEX chart_facts_ending_trials ON public.chart_facts USING btree (project_id, environment, at) WHERE (trials < 0)',
  chart_facts_pkey:
    'CREATE UNIQUE INDEX chart_facts_pkey ON public.chart_facts USING btree (project_id, customer_id, purchase_id, fact_key)',
  chart_notes_by_creation:
    'CREATE INDEX chart_notes_by_creation ON public.chart_notes USING btree (project_id, created_at, id)',
  chart_notes_pkey: 'CREATE UNIQUE INDEX chart_notes_pkey ON public.chart_notes USING btree (project_id, id)',
  chart_payers_by_cohort:
    'CREATE INDEX chart_payers_by_cohort ON public.chart_payers USING btree (project_id, environment, cohort_day)',
  chart_payers_pkey:
    'CREATE UNIQUE INDEX chart_payers_pkey ON public.chart_payers USING btree (project_id, customer_id, environment, dims_id)',
  chart_pieces_pkey:
    'CREATE UNIQUE INDEX chart_pieces_pkey ON public.chart_pieces USING btree (project_id, from_customer_id)',
  chart_product_changes_pkey:
    'CREATE UNIQUE INDEX chart_product_changes_pkey ON public.chart_product_changes USING btree (project_id, id)',
  chart_projects_pkey:
    'CREATE UNIQUE INDEX chart_projects_pkey ON public.chart_projects USING btree (project_id)',
  chart_questions_due:
    'CREATE INDEX chart_questions_due ON public.chart_questions USING btree (project_id, due_at) WHERE (due_at IS NOT NULL)',
  chart_questions_pkey:
    'CREATE UNIQUE INDEX chart_questions_pkey ON public.chart_questions USING btree (project_id, hash)',
  chart_rebuilds_pkey:
    'CREATE UNIQUE INDEX chart_rebuilds_pkey ON public.chart_rebuilds USING btree (project_id)',
  chart_runs_by_cohort:
    'CREATE INDEX chart_runs_by_cohort ON public.chart_runs USING btree (project_id, environment, cohort_at) WHERE (cohort_at IS NOT NULL)',
  chart_runs_by_end:
    'CREATE INDEX chart_runs_by_end ON public.chart_runs USING btree (project_id, environment, ends_at)',
  chart_runs_pkey:
    'CREATE UNIQUE INDEX chart_runs_pkey ON public.chart_runs USING btree (project_id, customer_id, purchase_id, run)',
  content_blobs_pkey:
    'CREATE UNIQUE INDEX content_blobs_pkey ON public.content_blobs USING btree (project_id, ref)',
  content_blobs_unused:
    'CREATE INDEX content_blobs_unused ON public.content_blobs USING btree (project_id, unused_since) WHERE (unused_since IS NOT NULL)',
  credential_routes_by_owner:
    'CREATE INDEX credential_routes_by_owner ON public.credential_routes USING btree (project_id, owner_id)',
  credential_routes_pkey:
    'CREATE UNIQUE INDEX credential_routes_pkey ON public.credential_routes USING btree (key_hash)',
  credential_uses_pkey:
    'CREATE UNIQUE INDEX credential_uses_pkey ON public.credential_uses USING btree (project_id, credential_id)',
  custom_roles_by_project:
    'CREATE INDEX custom_roles_by_project ON public.custom_roles USING btree (project_id)',
  custom_roles_name_unique:
    'CREATE UNIQUE INDEX custom_roles_name_unique ON public.custom_roles USING btree (org_id, lower(name))',
  custom_roles_pkey: 'CREATE UNIQUE INDEX custom_roles_pkey ON public.custom_roles USING btree (org_id, id)',
  customer_aliases_by_customer:
    'CREATE INDEX customer_aliases_by_customer ON public.customer_aliases USING btree (project_id, customer_id, app_user_id)',
  customer_aliases_by_hash:
    'CREATE INDEX customer_aliases_by_hash ON public.customer_aliases USING btree (project_id, app_user_id_hash(app_user_id))',
  customer_aliases_pkey:
    'CREATE UNIQUE INDEX customer_aliases_pkey ON public.customer_aliases USING btree (project_id, app_user_id)',
  customer_attributes_by_email:
    'CREATE INDEX customer_attributes_by_email ON public.customer_attributes USING btree (project_id, lower("left"(value, 256))) WHERE (name = \'$email\'::text)',
  customer_attributes_by_email_start:
    'CREATE INDEX customer_attributes_by_email_start ON public.customer_attributes USING btree (project_id, lower("left"(value, 256)) text_pattern_ops) WHERE (name = \'$email\'::text)',
  customer_attributes_by_value:
    'CREATE INDEX customer_attributes_by_value ON public.customer_attributes USING btree (project_id, name, "left"(value, 64)) WHERE (value IS NOT NULL)',
  customer_attributes_pkey:
    'CREATE UNIQUE INDEX customer_attributes_pkey ON public.customer_attributes USING btree (project_id, customer_id, name)',
  customer_days_by_day:
    'CREATE INDEX customer_days_by_day ON public.customer_days USING btree (project_id, day, customer_id)',
  customer_days_pkey:
    'CREATE UNIQUE INDEX customer_days_pkey ON public.customer_days USING btree (project_id, customer_id, day)',
  customer_erasures_pkey:
    'CREATE UNIQUE INDEX customer_erasures_pkey ON public.customer_erasures USING btree (project_id, customer_id)',
  customer_list_export_pieces_pkey:
    'CREATE UNIQUE INDEX customer_list_export_pieces_pkey ON public.customer_list_export_pieces USING btree (project_id, export_id, number)',
  customer_list_exports_pkey:
    'CREATE UNIQUE INDEX customer_list_exports_pkey ON public.customer_list_exports USING btree (project_id, id)',
  customer_lists_by_creation:
    'CREATE INDEX customer_lists_by_creation ON public.customer_lists USING btree (project_id, created_at, id)',
  customer_lists_pkey:
    'CREATE UNIQUE INDEX customer_lists_pkey ON public.customer_lists USING btree (project_id, id)',
  customer_notes_by_customer:
    'CREATE INDEX customer_notes_by_customer ON public.customer_notes USING btree (project_id, customer_id, created_at, id)',
  customer_notes_pkey:
    'CREATE UNIQUE INDEX customer_notes_pkey ON public.customer_notes USING btree (project_id, id)',
  customer_sessions_by_app_user_id:
    'CREATE INDEX customer_sessions_by_app_user_id ON public.customer_sessions USING btree (project_id, app_user_id)',
  customer_sessions_by_expiry:
    'CREATE INDEX customer_sessions_by_expiry ON public.customer_sessions USING btree (expires_at)',
  customer_sessions_by_identity:
    'CREATE INDEX customer_sessions_by_identity ON public.customer_sessions USING btree (project_id, provider_id, subject) WHERE (provider_id IS NOT NULL)',
  customer_sessions_pkey:
    'CREATE UNIQUE INDEX customer_sessions_pkey ON public.customer_sessions USING btree (project_id, id)',
  customer_sessions_project_id_family_hash_key:
    'CREATE UNIQUE INDEX customer_sessions_project_id_family_hash_key ON public.customer_sessions USING btree (project_id, family_hash)',
  customer_snapshots_pkey:
    'CREATE UNIQUE INDEX customer_snapshots_pkey ON public.customer_snapshots USING btree (project_id, customer_id)',
  customers_by_first_seen:
    'CREATE INDEX customers_by_first_seen ON public.customers USING btree (project_id, first_seen_at)',
  customers_by_test_clock:
    'CREATE INDEX customers_by_test_clock ON public.customers USING btree (project_id, test_clock_id) WHERE (test_clock_id IS NOT NULL)',
  customers_list:
    'CREATE INDEX customers_list ON public.customers USING btree (project_id, created_at DESC, original_app_user_id COLLATE "C" DESC)',
  customers_pkey: 'CREATE UNIQUE INDEX customers_pkey ON public.customers USING btree (project_id, id)',
  digests_pkey: 'CREATE UNIQUE INDEX digests_pkey ON public.digests USING btree (project_id, id)',
  entitlements_lookup_key_unique:
    'CREATE UNIQUE INDEX entitlements_lookup_key_unique ON public.entitlements USING btree (project_id, lookup_key)',
  entitlements_pkey:
    'CREATE UNIQUE INDEX entitlements_pkey ON public.entitlements USING btree (project_id, id)',
  erased_purchases_by_time:
    'CREATE INDEX erased_purchases_by_time ON public.erased_purchases USING btree (erased_at)',
  erased_purchases_pkey:
    'CREATE UNIQUE INDEX erased_purchases_pkey ON public.erased_purchases USING btree (project_id, key_hash)',
  event_keys_pkey:
    'CREATE UNIQUE INDEX event_keys_pkey ON public.event_keys USING btree (project_id, dedupe_key)',
  event_kinds_pkey:
    'CREATE UNIQUE INDEX event_kinds_pkey ON public.event_kinds USING btree (project_id, type, environment, app_id)',
  events_ahead:
    'CREATE INDEX events_ahead ON public.events USING btree (project_id, occurred_at) WHERE (occurred_at > created_at)',
  events_by_customer:
    'CREATE INDEX events_by_customer ON public.events USING btree (project_id, customer_id, occurred_at DESC, id)',
  events_by_id: 'CREATE INDEX events_by_id ON public.events USING btree (project_id, id)',
  events_by_kind:
    "CREATE INDEX events_by_kind ON public.events USING btree (project_id, type, COALESCE(environment, ''::text), COALESCE(app_id, ''::text), occurred_at DESC, created_at DESC, id DESC)",
  events_by_other_customer:
    'CREATE INDEX events_by_other_customer ON public.events USING btree (project_id, other_customer_id, occurred_at DESC, id) WHERE (other_customer_id IS NOT NULL)',
  events_pkey: 'CREATE UNIQUE INDEX events_pkey ON public.events USING btree (project_id, created_at, id)',
  exchange_rate_feeds_pkey:
    'CREATE UNIQUE INDEX exchange_rate_feeds_pkey ON public.exchange_rate_feeds USING btree (source)',
  exchange_rates_pkey: 'CREATE UNIQUE INDEX exchange_rates_pkey ON public.exchange_rates USING btree (day)',
  experiment_computations_pkey:
    'CREATE UNIQUE INDEX experiment_computations_pkey ON public.experiment_computations USING btree (project_id, experiment_id)',
  experiment_enrollments_by_experiment:
    'CREATE INDEX experiment_enrollments_by_experiment ON public.experiment_enrollments USING btree (project_id, experiment_id, enrolled_at)',
  experiment_enrollments_pkey:
    'CREATE UNIQUE INDEX experiment_enrollments_pkey ON public.experiment_enrollments USING btree (project_id, customer_id, experiment_id)',
  experiment_figures_pkey:
    'CREATE UNIQUE INDEX experiment_figures_pkey ON public.experiment_figures USING btree (project_id, experiment_id, environment, variant, product, platform, country)',
  experiments_pkey: 'CREATE UNIQUE INDEX experiments_pkey ON public.experiments USING btree (project_id, id)',
  export_destinations_pkey:
    'CREATE UNIQUE INDEX export_destinations_pkey ON public.export_destinations USING btree (project_id, id)',
  export_runs_by_export:
    'CREATE INDEX export_runs_by_export ON public.export_runs USING btree (project_id, export_id, created_at, id)',
  export_runs_due:
    'CREATE INDEX export_runs_due ON public.export_runs USING btree (project_id, due_at) WHERE (due_at IS NOT NULL)',
  export_runs_names:
    'CREATE UNIQUE INDEX export_runs_names ON public.export_runs USING btree (project_id, place, prefix, name_second) WHERE (name_second IS NOT NULL)',
  export_runs_open:
    'CREATE UNIQUE INDEX export_runs_open ON public.export_runs USING btree (project_id, export_id) WHERE (finished_at IS NULL)',
  export_runs_pkey: 'CREATE UNIQUE INDEX export_runs_pkey ON public.export_runs USING btree (project_id, id)',
  exports_by_destination:
    'CREATE INDEX exports_by_destination ON public.exports USING btree (project_id, destination_id)',
  exports_pkey: 'CREATE UNIQUE INDEX exports_pkey ON public.exports USING btree (project_id, id)',
  external_purchase_bindings_by_token:
    'CREATE INDEX external_purchase_bindings_by_token ON public.external_purchase_bindings USING btree (project_id, token_id)',
  external_purchase_bindings_pkey:
    'CREATE UNIQUE INDEX external_purchase_bindings_pkey ON public.external_purchase_bindings USING btree (project_id, purchase_key)',
  external_purchase_reports_by_purchase:
    'CREATE UNIQUE INDEX external_purchase_reports_by_purchase ON public.external_purchase_reports USING btree (project_id, purchase_key, "position")',
  external_purchase_reports_by_source:
    'CREATE UNIQUE INDEX external_purchase_reports_by_source ON public.external_purchase_reports USING btree (project_id, store, source_key)',
  external_purchase_reports_by_time:
    'CREATE INDEX external_purchase_reports_by_time ON public.external_purchase_reports USING btree (project_id, created_at, id)',
  external_purchase_reports_by_token:
    'CREATE INDEX external_purchase_reports_by_token ON public.external_purchase_reports USING btree (project_id, token_id)',
  external_purchase_reports_due:
    "CREATE INDEX external_purchase_reports_due ON public.external_purchase_reports USING btree (project_id, app_id, created_at) WHERE (state = 'due'::text)",
  external_purchase_reports_incomplete:
    "CREATE INDEX external_purchase_reports_incomplete ON public.external_purchase_reports USING btree (project_id, app_id) WHERE (state = ANY (ARRAY['needs_tax'::text, 'needs_data'::text]))",
  external_purchase_reports_pkey:
    'CREATE UNIQUE INDEX external_purchase_reports_pkey ON public.external_purchase_reports USING btree (project_id, id)',
  external_purchase_reports_refused:
    "CREATE INDEX external_purchase_reports_refused ON public.external_purchase_reports USING btree (project_id, app_id, created_at) WHERE (state = 'refused'::text)",
  external_purchase_reports_unsent:
    "CREATE INDEX external_purchase_reports_unsent ON public.external_purchase_reports USING btree (project_id, state, app_id, created_at) WHERE (state <> 'sent'::text)",
  external_purchase_tokens_by_customer:
    'CREATE INDEX external_purchase_tokens_by_customer ON public.external_purchase_tokens USING btree (project_id, customer_id)',
  external_purchase_tokens_by_store_id:
    'CREATE UNIQUE INDEX external_purchase_tokens_by_store_id ON public.external_purchase_tokens USING btree (project_id, app_id, external_purchase_id)',
  external_purchase_tokens_by_time:
    'CREATE INDEX external_purchase_tokens_by_time ON public.external_purchase_tokens USING btree (project_id, created_at, id)',
  external_purchase_tokens_open:
    "CREATE INDEX external_purchase_tokens_open ON public.external_purchase_tokens USING btree (project_id, app_id, created_at) WHERE (state = 'open'::text)",
  external_purchase_tokens_pkey:
    'CREATE UNIQUE INDEX external_purchase_tokens_pkey ON public.external_purchase_tokens USING btree (project_id, id)',
  idempotency_keys_by_customer:
    'CREATE INDEX idempotency_keys_by_customer ON public.idempotency_keys USING btree (tenant_id, app_user_id) WHERE (app_user_id IS NOT NULL)',
  idempotency_keys_by_expiry:
    'CREATE INDEX idempotency_keys_by_expiry ON public.idempotency_keys USING btree (expires_at)',
  idempotency_keys_of_several:
    'CREATE INDEX idempotency_keys_of_several ON public.idempotency_keys USING btree (tenant_id) WHERE (other_app_user_ids IS NOT NULL)',
  idempotency_keys_pkey:
    'CREATE UNIQUE INDEX idempotency_keys_pkey ON public.idempotency_keys USING btree (tenant_id, key)',
  import_counts_pkey:
    'CREATE UNIQUE INDEX import_counts_pkey ON public.import_counts USING btree (project_id)',
  import_key_misses_pkey:
    'CREATE UNIQUE INDEX import_key_misses_pkey ON public.import_key_misses USING btree (project_id, subscription_id)',
  import_order_misses_pkey:
    'CREATE UNIQUE INDEX import_order_misses_pkey ON public.import_order_misses USING btree (project_id, app_id, order_id)',
  invite_routes_pkey:
    'CREATE UNIQUE INDEX invite_routes_pkey ON public.invite_routes USING btree (token_hash)',
  invite_routes_project_id_invite_id_key:
    'CREATE UNIQUE INDEX invite_routes_project_id_invite_id_key ON public.invite_routes USING btree (project_id, invite_id)',
  invites_pkey: 'CREATE UNIQUE INDEX invites_pkey ON public.invites USING btree (project_id, id)',
  invites_project_id_email_key:
    'CREATE UNIQUE INDEX invites_project_id_email_key ON public.invites USING btree (project_id, email)',
  known_devices_pkey:
    'CREATE UNIQUE INDEX known_devices_pkey ON public.known_devices USING btree (user_id, device_hash)',
  listed_customer_changes_pkey:
    'CREATE UNIQUE INDEX listed_customer_changes_pkey ON public.listed_customer_changes USING btree (project_id, id)',
  listed_customer_fills_pkey:
    'CREATE UNIQUE INDEX listed_customer_fills_pkey ON public.listed_customer_fills USING btree (project_id)',
  listed_customers_by_first_seen:
    'CREATE INDEX listed_customers_by_first_seen ON public.listed_customers USING btree (project_id, first_seen_at, customer_id)',
  listed_customers_by_last_seen:
    'CREATE INDEX listed_customers_by_last_seen ON public.listed_customers USING btree (project_id, last_seen_at, customer_id)',
  listed_customers_by_sandbox_spent:
    'CREATE INDEX listed_customers_by_sandbox_spent ON public.listed_customers USING btree (project_id, sandbox_spent_usd_micros, customer_id)',
  listed_customers_by_spent:
    'CREATE INDEX listed_customers_by_spent ON public.listed_customers USING btree (project_id, spent_usd_micros, customer_id)',
  listed_customers_by_tag:
    "CREATE INDEX listed_customers_by_tag ON public.listed_customers USING gin (tags) WITH (fastupdate='on', gin_pending_list_limit='512')",
  listed_customers_pkey:
    'CREATE UNIQUE INDEX listed_customers_pkey ON public.listed_customers USING btree (project_id, customer_id)',
  listed_customers_refunded:
    'CREATE INDEX listed_customers_refunded ON public.listed_customers USING btree (project_id) WHERE (refunds > 0)',
  listed_customers_sandbox_refunded:
    'CREATE INDEX listed_customers_sandbox_refunded ON public.listed_customers USING btree (project_id) WHERE (sandbox_refunds > 0)',
  login_attempts_by_user:
    'CREATE INDEX login_attempts_by_user ON public.login_attempts USING btree (user_id)',
  login_attempts_pkey:
    'CREATE UNIQUE INDEX login_attempts_pkey ON public.login_attempts USING btree (token_hash)',
  mails_by_age:
    "CREATE INDEX mails_by_age ON public.mails USING btree (created_at) WHERE (status <> 'pending'::text)",
  mails_due: "CREATE INDEX mails_due ON public.mails USING btree (due_at) WHERE (status = 'pending'::text)",
  mails_pkey: 'CREATE UNIQUE INDEX mails_pkey ON public.mails USING btree (tenant_id, id)',
  media_assets_by_creation:
    'CREATE INDEX media_assets_by_creation ON public.media_assets USING btree (project_id, created_at, id)',
  media_assets_content_unique:
    'CREATE UNIQUE INDEX media_assets_content_unique ON public.media_assets USING btree (project_id, sha256)',
  media_assets_pkey:
    'CREATE UNIQUE INDEX media_assets_pkey ON public.media_assets USING btree (project_id, id)',
  metric_customer_changes_pkey:
    'CREATE UNIQUE INDEX metric_customer_changes_pkey ON public.metric_customer_changes USING btree (project_id, id)',
  metric_customer_days_pkey:
    'CREATE UNIQUE INDEX metric_customer_days_pkey ON public.metric_customer_days USING btree (project_id, day)',
  notification_listeners_pkey:
    'CREATE UNIQUE INDEX notification_listeners_pkey ON public.notification_listeners USING btree (id)',
  oauth_clients_by_use:
    'CREATE INDEX oauth_clients_by_use ON public.oauth_clients USING btree (last_used_at)',
  oauth_clients_pkey: 'CREATE UNIQUE INDEX oauth_clients_pkey ON public.oauth_clients USING btree (id)',
  oauth_grant_routes_pkey:
    'CREATE UNIQUE INDEX oauth_grant_routes_pkey ON public.oauth_grant_routes USING btree (token_hash)',
  oauth_grant_routes_project_id_grant_id_kind_key:
    'CREATE UNIQUE INDEX oauth_grant_routes_project_id_grant_id_kind_key ON public.oauth_grant_routes USING btree (project_id, grant_id, kind)',
  oauth_grants_by_expiry:
    'CREATE INDEX oauth_grants_by_expiry ON public.oauth_grants USING btree (expires_at)',
  oauth_grants_by_member:
    'CREATE INDEX oauth_grants_by_member ON public.oauth_grants USING btree (project_id, user_id)',
  oauth_grants_by_user:
    'CREATE INDEX oauth_grants_by_user ON public.oauth_grants USING btree (user_id, created_at, id)',
  oauth_grants_pkey:
    'CREATE UNIQUE INDEX oauth_grants_pkey ON public.oauth_grants USING btree (project_id, id)',
  oauth_repeated_access_tokens_by_grant:
    'CREATE INDEX oauth_repeated_access_tokens_by_grant ON public.oauth_repeated_access_tokens USING btree (project_id, grant_id)',
  oauth_repeated_access_tokens_pkey:
    'CREATE UNIQUE INDEX oauth_repeated_access_tokens_pkey ON public.oauth_repeated_access_tokens USING btree (token_hash)',
  offerings_lookup_key_unique:
    'CREATE UNIQUE INDEX offerings_lookup_key_unique ON public.offerings USING btree (project_id, lookup_key)',
  offerings_one_current:
    'CREATE UNIQUE INDEX offerings_one_current ON public.offerings USING btree (project_id) WHERE is_current',
  offerings_pkey: 'CREATE UNIQUE INDEX offerings_pkey ON public.offerings USING btree (project_id, id)',
  one_time_identifiers_by_owner:
    'CREATE INDEX one_time_identifiers_by_owner ON public.one_time_identifiers USING btree (project_id, purchase_id)',
  one_time_identifiers_pkey:
    'CREATE UNIQUE INDEX one_time_identifiers_pkey ON public.one_time_identifiers USING btree (project_id, store_identifier, purchase_id)',
  one_time_purchases_by_customer:
    'CREATE INDEX one_time_purchases_by_customer ON public.one_time_purchases USING btree (project_id, customer_id, purchased_at DESC, id)',
  one_time_purchases_by_time:
    'CREATE INDEX one_time_purchases_by_time ON public.one_time_purchases USING btree (project_id, app_id, purchased_at)',
  one_time_purchases_key_unique:
    'CREATE UNIQUE INDEX one_time_purchases_key_unique ON public.one_time_purchases USING btree (project_id, store, environment, purchase_key)',
  one_time_purchases_pkey:
    'CREATE UNIQUE INDEX one_time_purchases_pkey ON public.one_time_purchases USING btree (project_id, id)',
  one_time_purchases_rentals:
    "CREATE INDEX one_time_purchases_rentals ON public.one_time_purchases USING btree (project_id, app_id, store_product_id) WHERE ((facts #>> '{purchase,value,isRental}'::text[]) = 'true'::text)",
  organization_audit_logs_by_id:
    'CREATE INDEX organization_audit_logs_by_id ON public.organization_audit_logs USING btree (org_id, id)',
  organization_audit_logs_pkey:
    'CREATE UNIQUE INDEX organization_audit_logs_pkey ON public.organization_audit_logs USING btree (org_id, occurred_at, id)',
  organization_members_by_user:
    'CREATE INDEX organization_members_by_user ON public.organization_members USING btree (user_id, org_id)',
  organization_members_pkey:
    'CREATE UNIQUE INDEX organization_members_pkey ON public.organization_members USING btree (org_id, user_id)',
  organization_projects_pkey:
    'CREATE UNIQUE INDEX organization_projects_pkey ON public.organization_projects USING btree (org_id, project_id)',
  organization_projects_project_unique:
    'CREATE UNIQUE INDEX organization_projects_project_unique ON public.organization_projects USING btree (project_id)',
  organizations_pkey: 'CREATE UNIQUE INDEX organizations_pkey ON public.organizations USING btree (id)',
  ownership_changes_by_giver:
    'CREATE INDEX ownership_changes_by_giver ON public.ownership_changes USING btree (project_id, from_customer_id)',
  ownership_changes_by_taker:
    'CREATE INDEX ownership_changes_by_taker ON public.ownership_changes USING btree (project_id, to_customer_id)',
  ownership_changes_pkey:
    'CREATE UNIQUE INDEX ownership_changes_pkey ON public.ownership_changes USING btree (project_id, purchase_id, occurred_at, id)',
  package_products_by_product:
    'CREATE INDEX package_products_by_product ON public.package_products USING btree (project_id, product_id)',
  package_products_pkey:
    'CREATE UNIQUE INDEX package_products_pkey ON public.package_products USING btree (project_id, package_id, product_id)',
  packages_lookup_key_unique:
    'CREATE UNIQUE INDEX packages_lookup_key_unique ON public.packages USING btree (project_id, offering_id, lookup_key)',
  packages_pkey: 'CREATE UNIQUE INDEX packages_pkey ON public.packages USING btree (project_id, id)',
  paywall_settings_pkey:
    'CREATE UNIQUE INDEX paywall_settings_pkey ON public.paywall_settings USING btree (project_id)',
  paywall_versions_pkey:
    'CREATE UNIQUE INDEX paywall_versions_pkey ON public.paywall_versions USING btree (project_id, paywall_id, revision)',
  paywall_views_pkey:
    'CREATE UNIQUE INDEX paywall_views_pkey ON public.paywall_views USING btree (project_id, environment, app_user_id, paywall_id)',
  paywalls_by_creation:
    'CREATE INDEX paywalls_by_creation ON public.paywalls USING btree (project_id, created_at, id)',
  paywalls_offering_unique:
    'CREATE UNIQUE INDEX paywalls_offering_unique ON public.paywalls USING btree (project_id, offering_id)',
  paywalls_pkey: 'CREATE UNIQUE INDEX paywalls_pkey ON public.paywalls USING btree (project_id, id)',
  paywalls_published_offering_unique:
    'CREATE UNIQUE INDEX paywalls_published_offering_unique ON public.paywalls USING btree (project_id, published_offering_id)',
  play_cancellations_pkey:
    'CREATE UNIQUE INDEX play_cancellations_pkey ON public.play_cancellations USING btree (project_id, cancelled_at, key_hash)',
  product_entitlements_by_product:
    'CREATE INDEX product_entitlements_by_product ON public.product_entitlements USING btree (project_id, product_id)',
  product_entitlements_pkey:
    'CREATE UNIQUE INDEX product_entitlements_pkey ON public.product_entitlements USING btree (project_id, entitlement_id, product_id)',
  product_prices_pkey:
    'CREATE UNIQUE INDEX product_prices_pkey ON public.product_prices USING btree (project_id, product_id, currency)',
  products_list: 'CREATE INDEX products_list ON public.products USING btree (project_id, created_at, id)',
  products_pkey: 'CREATE UNIQUE INDEX products_pkey ON public.products USING btree (project_id, id)',
  products_store_identifier_unique:
    'CREATE UNIQUE INDEX products_store_identifier_unique ON public.products USING btree (project_id, app_id, store_identifier)',
  project_alerts_pkey:
    'CREATE UNIQUE INDEX project_alerts_pkey ON public.project_alerts USING btree (project_id, cause, subject_id)',
  project_anchors_pkey:
    'CREATE UNIQUE INDEX project_anchors_pkey ON public.project_anchors USING btree (project_id, app_id)',
  project_locations_pkey:
    'CREATE UNIQUE INDEX project_locations_pkey ON public.project_locations USING btree (project_id)',
  project_members_by_user:
    'CREATE INDEX project_members_by_user ON public.project_members USING btree (user_id, project_id)',
  project_members_pkey:
    'CREATE UNIQUE INDEX project_members_pkey ON public.project_members USING btree (project_id, user_id)',
  projects_pkey: 'CREATE UNIQUE INDEX projects_pkey ON public.projects USING btree (id)',
  projects_purge_queue:
    'CREATE INDEX projects_purge_queue ON public.projects USING btree (purge_due_at) WHERE (purge_due_at IS NOT NULL)',
  public_key_owners_pkey:
    'CREATE UNIQUE INDEX public_key_owners_pkey ON public.public_key_owners USING btree (key_hash)',
  rate_limits_pkey:
    'CREATE UNIQUE INDEX rate_limits_pkey ON public.rate_limits USING btree (tenant_id, bucket)',
  recovery_codes_pkey:
    'CREATE UNIQUE INDEX recovery_codes_pkey ON public.recovery_codes USING btree (user_id, code_hash)',
  redemption_link_routes_by_expiry:
    'CREATE INDEX redemption_link_routes_by_expiry ON public.redemption_link_routes USING btree (expires_at)',
  redemption_link_routes_by_link:
    'CREATE UNIQUE INDEX redemption_link_routes_by_link ON public.redemption_link_routes USING btree (project_id, link_id)',
  redemption_link_routes_pkey:
    'CREATE UNIQUE INDEX redemption_link_routes_pkey ON public.redemption_link_routes USING btree (token_hash)',
  redemption_links_by_customer:
    'CREATE INDEX redemption_links_by_customer ON public.redemption_links USING btree (project_id, customer_id, created_at, id)',
  redemption_links_by_expiry:
    'CREATE INDEX redemption_links_by_expiry ON public.redemption_links USING btree (expires_at)',
  redemption_links_by_purchase:
    'CREATE INDEX redemption_links_by_purchase ON public.redemption_links USING btree (project_id, purchase_id, created_at)',
  redemption_links_by_redeemer:
    'CREATE INDEX redemption_links_by_redeemer ON public.redemption_links USING btree (project_id, redeemed_by_customer_id) WHERE (redeemed_by_customer_id IS NOT NULL)',
  redemption_links_pkey:
    'CREATE UNIQUE INDEX redemption_links_pkey ON public.redemption_links USING btree (project_id, id)',
  redemption_settings_pkey:
    'CREATE UNIQUE INDEX redemption_settings_pkey ON public.redemption_settings USING btree (project_id)',
  refund_policies_default_unique:
    'CREATE UNIQUE INDEX refund_policies_default_unique ON public.refund_policies USING btree (project_id) WHERE is_default',
  refund_policies_pkey:
    'CREATE UNIQUE INDEX refund_policies_pkey ON public.refund_policies USING btree (project_id, id)',
  refund_requests_by_customer:
    'CREATE INDEX refund_requests_by_customer ON public.refund_requests USING btree (project_id, customer_id)',
  refund_requests_by_order:
    'CREATE INDEX refund_requests_by_order ON public.refund_requests USING btree (project_id, app_id, order_id) WHERE (order_id IS NOT NULL)',
  refund_requests_by_store_key:
    'CREATE UNIQUE INDEX refund_requests_by_store_key ON public.refund_requests USING btree (project_id, app_id, store_request_key)',
  refund_requests_by_time:
    'CREATE INDEX refund_requests_by_time ON public.refund_requests USING btree (project_id, requested_at DESC, id DESC)',
  refund_requests_by_transaction:
    'CREATE INDEX refund_requests_by_transaction ON public.refund_requests USING btree (project_id, app_id, transaction_id)',
  refund_requests_due:
    'CREATE INDEX refund_requests_due ON public.refund_requests USING btree (project_id, app_id, due_at) WHERE (due_at IS NOT NULL)',
  refund_requests_open:
    'CREATE INDEX refund_requests_open ON public.refund_requests USING btree (project_id, requested_at) WHERE (outcome IS NULL)',
  refund_requests_pkey:
    'CREATE UNIQUE INDEX refund_requests_pkey ON public.refund_requests USING btree (project_id, id)',
  replaced_customer_tokens_by_issue:
    'CREATE INDEX replaced_customer_tokens_by_issue ON public.replaced_customer_tokens USING btree (issued_at)',
  replaced_customer_tokens_pkey:
    'CREATE UNIQUE INDEX replaced_customer_tokens_pkey ON public.replaced_customer_tokens USING btree (project_id, session_id, generation)',
  replaced_oauth_tokens_by_issue:
    'CREATE INDEX replaced_oauth_tokens_by_issue ON public.replaced_oauth_tokens USING btree (issued_at)',
  replaced_oauth_tokens_pkey:
    'CREATE UNIQUE INDEX replaced_oauth_tokens_pkey ON public.replaced_oauth_tokens USING btree (project_id, grant_id, generation)',
  report_changes_pkey:
    'CREATE UNIQUE INDEX report_changes_pkey ON public.report_changes USING btree (project_id, id)',
  report_customers_by_seq:
    'CREATE INDEX report_customers_by_seq ON public.report_customers USING btree (project_id, seq)',
  report_customers_by_tx_seq:
    'CREATE INDEX report_customers_by_tx_seq ON public.report_customers USING btree (project_id, tx_seq)',
  report_customers_pkey:
    'CREATE UNIQUE INDEX report_customers_pkey ON public.report_customers USING btree (project_id, customer_id)',
  report_deletions_by_time:
    'CREATE INDEX report_deletions_by_time ON public.report_deletions USING btree (project_id, deleted_at)',
  report_deletions_pkey:
    'CREATE UNIQUE INDEX report_deletions_pkey ON public.report_deletions USING btree (project_id, seq, dataset, key)',
  report_projects_pkey:
    'CREATE UNIQUE INDEX report_projects_pkey ON public.report_projects USING btree (project_id)',
  report_subscriptions_by_customer:
    'CREATE INDEX report_subscriptions_by_customer ON public.report_subscriptions USING btree (project_id, customer_id)',
  report_subscriptions_by_seq:
    'CREATE INDEX report_subscriptions_by_seq ON public.report_subscriptions USING btree (project_id, seq)',
  report_subscriptions_pkey:
    'CREATE UNIQUE INDEX report_subscriptions_pkey ON public.report_subscriptions USING btree (project_id, id)',
  report_subscriptions_to_end:
    "CREATE INDEX report_subscriptions_to_end ON public.report_subscriptions USING btree (project_id, access_ends_at) WHERE ((kind = 'one_time'::text) AND gives_access)",
  report_transactions_by_customer:
    'CREATE INDEX report_transactions_by_customer ON public.report_transactions USING btree (project_id, customer_id)',
  report_transactions_by_seq:
    'CREATE INDEX report_transactions_by_seq ON public.report_transactions USING btree (project_id, seq)',
  report_transactions_by_start:
    'CREATE INDEX report_transactions_by_start ON public.report_transactions USING btree (project_id, start_time)',
  report_transactions_keys:
    'CREATE UNIQUE INDEX report_transactions_keys ON public.report_transactions USING btree (project_id, store, is_sandbox, store_transaction_id, renewal_number)',
  report_transactions_pkey:
    'CREATE UNIQUE INDEX report_transactions_pkey ON public.report_transactions USING btree (project_id, purchase_id, period_key, product)',
  retention_messages_pkey:
    'CREATE UNIQUE INDEX retention_messages_pkey ON public.retention_messages USING btree (project_id, app_id, environment, id)',
  retention_requests_by_age:
    'CREATE INDEX retention_requests_by_age ON public.retention_requests USING btree (at)',
  retention_requests_by_time:
    'CREATE INDEX retention_requests_by_time ON public.retention_requests USING btree (project_id, app_id, environment, at)',
  retention_requests_due:
    'CREATE INDEX retention_requests_due ON public.retention_requests USING btree (due_at) WHERE (due_at IS NOT NULL)',
  retention_requests_due_in_project:
    'CREATE INDEX retention_requests_due_in_project ON public.retention_requests USING btree (project_id, due_at) WHERE (due_at IS NOT NULL)',
  retention_requests_pkey:
    'CREATE UNIQUE INDEX retention_requests_pkey ON public.retention_requests USING btree (project_id, app_id, request_identifier)',
  retention_rules_by_app:
    'CREATE INDEX retention_rules_by_app ON public.retention_rules USING btree (project_id, app_id, "position", id)',
  retention_rules_pkey:
    'CREATE UNIQUE INDEX retention_rules_pkey ON public.retention_rules USING btree (project_id, id)',
  revoked_access_tokens_by_expiry:
    'CREATE INDEX revoked_access_tokens_by_expiry ON public.revoked_access_tokens USING btree (expires_at)',
  revoked_access_tokens_pkey:
    'CREATE UNIQUE INDEX revoked_access_tokens_pkey ON public.revoked_access_tokens USING btree (project_id, id)',
  role_mappings_by_project:
    'CREATE INDEX role_mappings_by_project ON public.role_mappings USING btree (project_id)',
  role_mappings_group_unique:
    'CREATE UNIQUE INDEX role_mappings_group_unique ON public.role_mappings USING btree (org_id, lower(group_name), project_id)',
  role_mappings_pkey:
    'CREATE UNIQUE INDEX role_mappings_pkey ON public.role_mappings USING btree (org_id, id)',
  saved_charts_by_creation:
    'CREATE INDEX saved_charts_by_creation ON public.saved_charts USING btree (project_id, created_at, id)',
  saved_charts_by_owner:
    'CREATE INDEX saved_charts_by_owner ON public.saved_charts USING btree (project_id, owner_id)',
  saved_charts_pkey:
    'CREATE UNIQUE INDEX saved_charts_pkey ON public.saved_charts USING btree (project_id, id)',
  scim_group_members_by_user:
    'CREATE INDEX scim_group_members_by_user ON public.scim_group_members USING btree (org_id, scim_user_id, group_id)',
  scim_group_members_pkey:
    'CREATE UNIQUE INDEX scim_group_members_pkey ON public.scim_group_members USING btree (org_id, group_id, scim_user_id)',
  scim_groups_by_creation:
    'CREATE INDEX scim_groups_by_creation ON public.scim_groups USING btree (org_id, created_at, id)',
  scim_groups_by_external_id:
    'CREATE INDEX scim_groups_by_external_id ON public.scim_groups USING btree (org_id, external_id)',
  scim_groups_name_unique:
    'CREATE UNIQUE INDEX scim_groups_name_unique ON public.scim_groups USING btree (org_id, lower(display_name))',
  scim_groups_pkey: 'CREATE UNIQUE INDEX scim_groups_pkey ON public.scim_groups USING btree (org_id, id)',
  scim_tokens_by_hash:
    'CREATE UNIQUE INDEX scim_tokens_by_hash ON public.scim_tokens USING btree (token_hash)',
  scim_tokens_pkey: 'CREATE UNIQUE INDEX scim_tokens_pkey ON public.scim_tokens USING btree (org_id, id)',
  scim_user_emails_by_user:
    'CREATE INDEX scim_user_emails_by_user ON public.scim_user_emails USING btree (org_id, scim_user_id)',
  scim_user_emails_pkey:
    'CREATE UNIQUE INDEX scim_user_emails_pkey ON public.scim_user_emails USING btree (org_id, email, scim_user_id)',
  scim_users_account_unique:
    'CREATE UNIQUE INDEX scim_users_account_unique ON public.scim_users USING btree (org_id, user_id) WHERE (user_id IS NOT NULL)',
  scim_users_by_creation:
    'CREATE INDEX scim_users_by_creation ON public.scim_users USING btree (org_id, created_at, id)',
  scim_users_by_email: 'CREATE INDEX scim_users_by_email ON public.scim_users USING btree (org_id, email)',
  scim_users_by_external_id:
    'CREATE INDEX scim_users_by_external_id ON public.scim_users USING btree (org_id, external_id)',
  scim_users_name_unique:
    'CREATE UNIQUE INDEX scim_users_name_unique ON public.scim_users USING btree (org_id, lower(user_name))',
  scim_users_pkey: 'CREATE UNIQUE INDEX scim_users_pkey ON public.scim_users USING btree (org_id, id)',
  sdk_events_by_app_user_id:
    'CREATE INDEX sdk_events_by_app_user_id ON public.sdk_events USING btree (project_id, app_user_id)',
  sdk_events_pkey:
    'CREATE UNIQUE INDEX sdk_events_pkey ON public.sdk_events USING btree (project_id, at, id)',
  self_checks_pkey: 'CREATE UNIQUE INDEX self_checks_pkey ON public.self_checks USING btree (project_id)',
  sessions_by_connection:
    'CREATE INDEX sessions_by_connection ON public.sessions USING btree (sso_connection_id) WHERE (sso_connection_id IS NOT NULL)',
  sessions_by_user: 'CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id)',
  sessions_of_user: 'CREATE UNIQUE INDEX sessions_of_user ON public.sessions USING btree (user_id, id)',
  sessions_pkey: 'CREATE UNIQUE INDEX sessions_pkey ON public.sessions USING btree (token_hash)',
  shared_store_budgets_pkey:
    'CREATE UNIQUE INDEX shared_store_budgets_pkey ON public.shared_store_budgets USING btree (store, environment)',
  sql_role_drops_pkey:
    'CREATE UNIQUE INDEX sql_role_drops_pkey ON public.sql_role_drops USING btree (role_name)',
  sql_session_ends_by_time:
    'CREATE INDEX sql_session_ends_by_time ON public.sql_session_ends USING btree (ended_at)',
  sql_session_ends_pkey:
    'CREATE UNIQUE INDEX sql_session_ends_pkey ON public.sql_session_ends USING btree (role_name, started_at, pid)',
  sql_users_pkey: 'CREATE UNIQUE INDEX sql_users_pkey ON public.sql_users USING btree (role_name)',
  sql_users_project_id_id_key:
    'CREATE UNIQUE INDEX sql_users_project_id_id_key ON public.sql_users USING btree (project_id, id)',
  sso_connections_by_id:
    'CREATE UNIQUE INDEX sso_connections_by_id ON public.sso_connections USING btree (id)',
  sso_connections_pkey:
    'CREATE UNIQUE INDEX sso_connections_pkey ON public.sso_connections USING btree (org_id, id)',
  sso_domains_pkey: 'CREATE UNIQUE INDEX sso_domains_pkey ON public.sso_domains USING btree (org_id, domain)',
  sso_domains_verified:
    'CREATE UNIQUE INDEX sso_domains_verified ON public.sso_domains USING btree (domain) WHERE (verified_at IS NOT NULL)',
  sso_login_states_by_browser:
    'CREATE INDEX sso_login_states_by_browser ON public.sso_login_states USING btree (org_id, connection_id, browser_hash)',
  sso_login_states_by_expiry:
    'CREATE INDEX sso_login_states_by_expiry ON public.sso_login_states USING btree (expires_at)',
  sso_login_states_pkey:
    'CREATE UNIQUE INDEX sso_login_states_pkey ON public.sso_login_states USING btree (org_id, connection_id, state_hash)',
  sso_seen_assertions_by_expiry:
    'CREATE INDEX sso_seen_assertions_by_expiry ON public.sso_seen_assertions USING btree (expires_at)',
  sso_seen_assertions_pkey:
    'CREATE UNIQUE INDEX sso_seen_assertions_pkey ON public.sso_seen_assertions USING btree (org_id, connection_id, assertion_hash)',
  store_accounts_by_customer:
    'CREATE INDEX store_accounts_by_customer ON public.store_accounts USING btree (project_id, customer_id)',
  store_accounts_pkey:
    'CREATE UNIQUE INDEX store_accounts_pkey ON public.store_accounts USING btree (project_id, app_id, kind, account_key)',
  store_budgets_pkey:
    'CREATE UNIQUE INDEX store_budgets_pkey ON public.store_budgets USING btree (project_id, app_id, environment)',
  store_notification_copies_attempted:
    'CREATE INDEX store_notification_copies_attempted ON public.store_notification_copies USING btree (project_id, app_id, attempted_at DESC) WHERE (attempted_at IS NOT NULL)',
  store_notification_copies_pkey:
    'CREATE UNIQUE INDEX store_notification_copies_pkey ON public.store_notification_copies USING btree (project_id, notification_id)',
  store_notification_copies_queue:
    'CREATE INDEX store_notification_copies_queue ON public.store_notification_copies USING btree (project_id, app_id, due_at) WHERE (due_at IS NOT NULL)',
  store_notification_keys_by_id:
    'CREATE UNIQUE INDEX store_notification_keys_by_id ON public.store_notification_keys USING btree (project_id, id)',
  store_notification_keys_by_time:
    'CREATE INDEX store_notification_keys_by_time ON public.store_notification_keys USING btree (project_id, received_at)',
  store_notification_keys_pkey:
    'CREATE UNIQUE INDEX store_notification_keys_pkey ON public.store_notification_keys USING btree (project_id, app_id, dedupe_key)',
  store_notifications_by_time:
    'CREATE INDEX store_notifications_by_time ON public.store_notifications USING btree (project_id, app_id, received_at DESC)',
  store_notifications_errors:
    'CREATE INDEX store_notifications_errors ON public.store_notifications USING btree (project_id, app_id, last_error_at DESC) WHERE (last_error_at IS NOT NULL)',
  store_notifications_pkey:
    'CREATE UNIQUE INDEX store_notifications_pkey ON public.store_notifications USING btree (project_id, id, received_at)',
  store_notifications_queue:
    'CREATE INDEX store_notifications_queue ON public.store_notifications USING btree (project_id, app_id, due_at) WHERE (due_at IS NOT NULL)',
  store_notifications_unknown:
    "CREATE INDEX store_notifications_unknown ON public.store_notifications USING btree (project_id, app_id, subject) WHERE (state = 'ignored_unknown_purchase'::text)",
  store_refreshes_pkey:
    'CREATE UNIQUE INDEX store_refreshes_pkey ON public.store_refreshes USING btree (project_id, app_id, environment, purchase_key)',
  store_refreshes_queue:
    'CREATE INDEX store_refreshes_queue ON public.store_refreshes USING btree (project_id, app_id, due_at)',
  store_tasks_pkey:
    'CREATE UNIQUE INDEX store_tasks_pkey ON public.store_tasks USING btree (project_id, app_id, kind, key)',
  store_tasks_queue:
    'CREATE INDEX store_tasks_queue ON public.store_tasks USING btree (project_id, app_id, due_at)',
  store_transaction_keys_pkey:
    'CREATE UNIQUE INDEX store_transaction_keys_pkey ON public.store_transaction_keys USING btree (project_id, store, environment, owner_key, period_key, kind, kind_seq)',
  store_transactions_by_customer:
    'CREATE INDEX store_transactions_by_customer ON public.store_transactions USING btree (project_id, customer_id, purchased_at DESC, id DESC)',
  store_transactions_by_id:
    'CREATE INDEX store_transactions_by_id ON public.store_transactions USING btree (project_id, id)',
  store_transactions_by_purchase:
    'CREATE INDEX store_transactions_by_purchase ON public.store_transactions USING btree (project_id, purchase_id) WHERE (purchase_id IS NOT NULL)',
  store_transactions_by_subscription:
    'CREATE INDEX store_transactions_by_subscription ON public.store_transactions USING btree (project_id, subscription_id, purchased_at) WHERE (subscription_id IS NOT NULL)',
  store_transactions_feed:
    'CREATE INDEX store_transactions_feed ON public.store_transactions USING btree (project_id, environment, purchased_at DESC, id DESC)',
  store_transactions_pkey:
    'CREATE UNIQUE INDEX store_transactions_pkey ON public.store_transactions USING btree (project_id, recorded_at, id)',
  store_transactions_unconverted:
    'CREATE INDEX store_transactions_unconverted ON public.store_transactions USING btree (project_id, currency) WHERE ((usd_micros IS NULL) AND (amount_micros IS NOT NULL))',
  store_transactions_without_price:
    "CREATE INDEX store_transactions_without_price ON public.store_transactions USING btree (project_id) WHERE ((amount_micros IS NULL) AND (price_source = 'import'::text))",
  store_unknown_values_pkey:
    'CREATE UNIQUE INDEX store_unknown_values_pkey ON public.store_unknown_values USING btree (project_id, app_id, field, value)',
  subscription_aliases_by_owner:
    'CREATE INDEX subscription_aliases_by_owner ON public.subscription_aliases USING btree (project_id, subscription_id)',
  subscription_aliases_pkey:
    'CREATE UNIQUE INDEX subscription_aliases_pkey ON public.subscription_aliases USING btree (project_id, alias_id)',
  subscription_identifiers_by_owner:
    'CREATE INDEX subscription_identifiers_by_owner ON public.subscription_identifiers USING btree (project_id, subscription_id)',
  subscription_identifiers_pkey:
    'CREATE UNIQUE INDEX subscription_identifiers_pkey ON public.subscription_identifiers USING btree (project_id, store_identifier, subscription_id)',
  subscription_mass_extensions_pkey:
    'CREATE UNIQUE INDEX subscription_mass_extensions_pkey ON public.subscription_mass_extensions USING btree (project_id, app_id, id)',
  subscription_mass_extensions_unanswered:
    'CREATE UNIQUE INDEX subscription_mass_extensions_unanswered ON public.subscription_mass_extensions USING btree (project_id, app_id, environment, store_product_id, extend_by_days, extend_reason_code, storefront_country_codes) WHERE (NOT answered)',
  subscriptions_by_customer:
    'CREATE INDEX subscriptions_by_customer ON public.subscriptions USING btree (project_id, customer_id, started_at DESC, id)',
  subscriptions_by_end:
    'CREATE INDEX subscriptions_by_end ON public.subscriptions USING btree (project_id, app_id, access_ends_at) WHERE (access_ends_at IS NOT NULL)',
  subscriptions_by_grant:
    'CREATE INDEX subscriptions_by_grant ON public.subscriptions USING btree (project_id, granted_entitlement_id) WHERE (granted_entitlement_id IS NOT NULL)',
  subscriptions_by_key_state:
    'CREATE INDEX subscriptions_by_key_state ON public.subscriptions USING btree (project_id, key_state, app_id) WHERE (key_state IS NOT NULL)',
  subscriptions_due:
    'CREATE INDEX subscriptions_due ON public.subscriptions USING btree (project_id, next_due_at) WHERE (next_due_at IS NOT NULL)',
  subscriptions_held_open:
    'CREATE INDEX subscriptions_held_open ON public.subscriptions USING btree (project_id, held_from, access_ends_at) WHERE (held_from IS NOT NULL)',
  subscriptions_pkey:
    'CREATE UNIQUE INDEX subscriptions_pkey ON public.subscriptions USING btree (project_id, id)',
  subscriptions_store_key_unique:
    'CREATE UNIQUE INDEX subscriptions_store_key_unique ON public.subscriptions USING btree (project_id, store, environment, store_key)',
  subscriptions_unknown_lengths:
    'CREATE INDEX subscriptions_unknown_lengths ON public.subscriptions USING btree (project_id, unknown_lengths) WHERE (unknown_lengths IS NOT NULL)',
  subscriptions_without_key:
    'CREATE INDEX subscriptions_without_key ON public.subscriptions USING btree (project_id, app_id, started_at DESC, id) WHERE (key_state IS NOT NULL)',
  targeting_rules_pkey:
    'CREATE UNIQUE INDEX targeting_rules_pkey ON public.targeting_rules USING btree (project_id, id)',
  test_clocks_advancing:
    'CREATE INDEX test_clocks_advancing ON public.test_clocks USING btree (project_id, id) WHERE ((target_at IS NOT NULL) AND (NOT failed))',
  test_clocks_pkey: 'CREATE UNIQUE INDEX test_clocks_pkey ON public.test_clocks USING btree (project_id, id)',
  users_email_key: 'CREATE UNIQUE INDEX users_email_key ON public.users USING btree (email)',
  users_pkey: 'CREATE UNIQUE INDEX users_pkey ON public.users USING btree (id)',
  virtual_currencies_pkey:
    'CREATE UNIQUE INDEX virtual_currencies_pkey ON public.virtual_currencies USING btree (project_id, code)',
  virtual_currency_grants_by_product:
    'CREATE INDEX virtual_currency_grants_by_product ON public.virtual_currency_grants USING btree (project_id, product_id)',
  virtual_currency_grants_pkey:
    'CREATE UNIQUE INDEX virtual_currency_grants_pkey ON public.virtual_currency_grants USING btree (project_id, code, product_id)',
  virtual_currency_lots_once:
    'CREATE UNIQUE INDEX virtual_currency_lots_once ON public.virtual_currency_lots USING btree (project_id, source_key, code)',
  virtual_currency_lots_pkey:
    'CREATE UNIQUE INDEX virtual_currency_lots_pkey ON public.virtual_currency_lots USING btree (project_id, customer_id, code, id)',
  virtual_currency_transactions_by_customer:
    'CREATE INDEX virtual_currency_transactions_by_customer ON public.virtual_currency_transactions USING btree (project_id, customer_id, created_at)',
  virtual_currency_transactions_pkey:
    'CREATE UNIQUE INDEX virtual_currency_transactions_pkey ON public.virtual_currency_transactions USING btree (project_id, created_at, id, code)',
  webhook_attempts_by_delivery:
    'CREATE INDEX webhook_attempts_by_delivery ON public.webhook_attempts USING btree (project_id, delivery_id, attempt DESC)',
  webhook_attempts_pkey:
    'CREATE UNIQUE INDEX webhook_attempts_pkey ON public.webhook_attempts USING btree (project_id, attempted_at, delivery_id, attempt)',
  webhook_circuits_pkey:
    'CREATE UNIQUE INDEX webhook_circuits_pkey ON public.webhook_circuits USING btree (project_id, webhook_integration_id)',
  webhook_deliveries_by_id:
    'CREATE INDEX webhook_deliveries_by_id ON public.webhook_deliveries USING btree (project_id, id)',
  webhook_deliveries_by_integration:
    'CREATE INDEX webhook_deliveries_by_integration ON public.webhook_deliveries USING btree (project_id, webhook_integration_id, created_at DESC, id)',
  webhook_deliveries_failed:
    "CREATE INDEX webhook_deliveries_failed ON public.webhook_deliveries USING btree (project_id, webhook_integration_id, created_at DESC, id) WHERE (status = 'failed'::text)",
  webhook_deliveries_in_order:
    "CREATE INDEX webhook_deliveries_in_order ON public.webhook_deliveries USING btree (project_id, customer_id, webhook_integration_id, sequence) WHERE ((status = 'pending'::text) AND (customer_id IS NOT NULL))",
  webhook_deliveries_pkey:
    'CREATE UNIQUE INDEX webhook_deliveries_pkey ON public.webhook_deliveries USING btree (project_id, created_at, id)',
  webhook_deliveries_queue:
    "CREATE INDEX webhook_deliveries_queue ON public.webhook_deliveries USING btree (project_id, webhook_integration_id, next_attempt_at) WHERE (status = 'pending'::text)",
  webhook_deliveries_replayed:
    'CREATE INDEX webhook_deliveries_replayed ON public.webhook_deliveries USING btree (project_id, event_id) WHERE replay',
  webhook_deliveries_waiting:
    "CREATE INDEX webhook_deliveries_waiting ON public.webhook_deliveries USING btree (project_id, customer_id) WHERE (status = 'waiting'::text)",
  webhook_integrations_pkey:
    'CREATE UNIQUE INDEX webhook_integrations_pkey ON public.webhook_integrations USING btree (project_id, id)',
  webhook_replay_deliveries_pkey:
    'CREATE UNIQUE INDEX webhook_replay_deliveries_pkey ON public.webhook_replay_deliveries USING btree (project_id, replay_id, delivery_created_at, delivery_id)',
  webhook_replays_by_integration:
    'CREATE INDEX webhook_replays_by_integration ON public.webhook_replays USING btree (project_id, webhook_integration_id, requested_at DESC, id)',
  webhook_replays_pkey:
    'CREATE UNIQUE INDEX webhook_replays_pkey ON public.webhook_replays USING btree (project_id, id)',
};
