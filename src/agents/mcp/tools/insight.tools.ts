import type { ToolDefinition } from '../tool.js';

const environment = { name: 'environment', description: 'Default: both.' };

export const metricTools: ToolDefinition[] = [
  {
    name: 'get_overview_metrics',
    title: 'Get the key figures',
    description:
      'Active trials and subscriptions, recurring revenue, revenue and customers, as of now, in USD.',
    operations: ['getOverviewMetrics'],
    effect: 'read',
    arguments: ['environment'],
  },
  {
    name: 'get_metric_history',
    title: 'Get the history of a metric',
    description: 'The daily values of a metric, by UTC day, in USD.',
    operations: ['getMetricHistory'],
    effect: 'read',
    arguments: ['metric', 'days', 'environment'],
  },
  {
    name: 'list_events',
    title: 'List events',
    description: 'What happened to the purchases of the project, newest first.',
    operations: ['listEvents'],
    effect: 'read',
    arguments: ['type', 'customer', environment],
  },
  {
    name: 'list_transactions',
    title: 'List transactions',
    description: 'Every payment and refund of the project, newest first.',
    operations: ['listTransactions'],
    effect: 'read',
    arguments: ['customer', environment],
  },
  {
    name: 'get_setup_health',
    title: 'Check the setup of the project',
    description:
      'Whether stores, webhooks, SDKs and currencies of the project are set up completely and work.',
    operations: ['getSetupHealth'],
    effect: 'read',
    arguments: [],
  },
  {
    name: 'get_import_status',
    title: 'Get the status of imports',
    description:
      'How many customers and subscriptions the project has, and what imports from another system have left open, such as purchase tokens that are still missing.',
    operations: ['getImportStatus'],
    effect: 'read',
    arguments: [],
  },
];

export const auditTools: ToolDefinition[] = [
  {
    name: 'create_test_purchase',
    title: 'Simulate a purchase',
    description:
      'Makes a purchase in the Test Store, without money, and applies a scenario to it, such as a renewal or a refund.',
    operations: ['createTestPurchase'],
    effect: 'write',
    arguments: [
      'app_user_id',
      'product_id',
      { name: 'app_id', description: 'Required if several Test Store apps have the product: `list_apps`.' },
      'scenario',
      'subscription_id',
      'price',
      'currency',
      { name: 'purchased_at', form: 'time' },
      'offset_days',
    ],
  },
  {
    name: 'list_audit_logs',
    title: 'List changes of the project',
    description: 'Who changed what in the project, newest first.',
    operations: ['listAuditLogs'],
    effect: 'read',
    arguments: ['start_date', 'end_date'],
  },
];
