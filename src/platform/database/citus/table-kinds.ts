const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * Where the rows of each table are on a Citus cluster. Tables that grow with customers, events or time are distributed
 * by project, so that all rows of a project are on one worker. Each node has a copy of what requests join with them, or
 * read to find a project; those tables are rarely written. What remains is on the coordinator.
 */
const tables = {
  project: names(`
    audit_logs auth_identities blocked_customers chart_active_days chart_active_marks chart_attribute_values
    chart_buyers chart_changes chart_cohort_counts chart_cohort_days chart_cohort_money chart_cohort_sums
    chart_customers chart_days chart_dims chart_dirty_days chart_facts chart_notes chart_payers chart_pieces
    chart_product_changes chart_projects chart_questions chart_rebuilds chart_runs content_blobs credential_uses
    customer_aliases customer_attributes customer_days customer_erasures customer_list_export_pieces
    customer_list_exports customer_lists customer_notes customer_sessions customer_snapshots customers digests
    erased_purchases event_keys event_kinds events experiment_computations experiment_enrollments
    experiment_figures export_destinations export_runs exports external_purchase_bindings
    external_purchase_reports external_purchase_tokens idempotency_keys import_counts import_key_misses
    import_order_misses listed_customer_changes listed_customer_fills listed_customers media_assets
    metric_customer_changes metric_customer_days one_time_identifiers one_time_purchases ownership_changes
    paywall_settings paywall_versions paywall_views paywalls play_cancellations product_prices project_alerts
    project_anchors redemption_links refund_policies refund_requests replaced_customer_tokens report_changes
    report_customers report_deletions report_projects report_subscriptions report_transactions
    retention_messages retention_requests retention_rules revoked_access_tokens saved_charts sdk_events
    self_checks store_accounts store_budgets store_notification_copies store_notification_keys
    store_notifications store_refreshes store_tasks store_transaction_keys store_transactions
    store_unknown_values subscription_aliases subscription_identifiers subscription_mass_extensions
    subscriptions test_clocks virtual_currency_lots virtual_currency_transactions webhook_attempts
    webhook_circuits webhook_deliveries webhook_integrations webhook_replay_deliveries webhook_replays`),
  organization: names('organization_audit_logs'),
  reference: names(`
    api_keys app_routes apps auth_providers auth_settings credential_routes entitlements exchange_rates
    experiments invite_routes invites oauth_grant_routes oauth_grants offerings organizations package_products
    packages product_entitlements products project_locations project_members projects redemption_link_routes
    redemption_settings sql_users targeting_rules users virtual_currencies virtual_currency_grants`),
  local: names(`
    account_links custom_roles exchange_rate_feeds known_devices login_attempts mails oauth_clients
    oauth_repeated_access_tokens organization_members organization_projects public_key_owners recovery_codes
    replaced_oauth_tokens role_mappings scim_group_members scim_groups scim_tokens scim_user_emails scim_users
    sessions shared_store_budgets sql_role_drops sql_session_ends sso_connections sso_domains sso_login_states
    sso_seen_assertions`),
  /** On the coordinator too, and unknown to Citus: its planner would make their frequent statements slower. */
  unknown: names('migrations notification_listeners rate_limits'),
};

export type TableKind = keyof typeof tables;

export const tableKinds: ReadonlyMap<string, TableKind> = new Map(
  Object.entries(tables).flatMap(([kind, list]) => list.map((name) => [name, kind as TableKind])),
);

/** Column whose value decides on which worker a row is; null for tables that are not distributed. */
export function distributionColumn(table: string): string | null {
  const kind = tableKinds.get(table);
  if (kind === 'organization') return 'org_id';
  if (kind !== 'project') return null;
  return table === 'idempotency_keys' ? 'tenant_id' : 'project_id';
}
