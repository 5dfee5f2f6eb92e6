import type { ToolDefinition } from '../tool.js';
import { entitlementTools, offeringTools, productTools } from './catalog.tools.js';
import { balanceTools, customerTools } from './customer.tools.js';
import { destinationTools } from './destination.tools.js';
import { exportTools } from './export.tools.js';
import { auditTools, metricTools } from './insight.tools.js';
import { paywallTools } from './paywall.tools.js';
import { projectTools } from './project.tools.js';
import { purchaseTools } from './purchase.tools.js';
import { webhookTools } from './webhook.tools.js';

/** Sorted as in the list of tools. */
export const toolDefinitions: readonly ToolDefinition[] = [
  ...projectTools,
  ...productTools,
  ...entitlementTools,
  ...offeringTools,
  ...paywallTools,
  ...customerTools,
  ...purchaseTools,
  ...balanceTools,
  ...metricTools,
  ...webhookTools,
  ...destinationTools,
  ...exportTools,
  ...auditTools,
];
