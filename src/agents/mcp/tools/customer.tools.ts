import type { ToolDefinition, ToolRun } from '../tool.js';
import { parameterError } from '../rest-error.js';

/** Maximum number of subscriptions and purchases in the response. Separate tools list the rest. */
const SHOWN = 20;

async function getCustomer({ args: { customer_id }, call }: ToolRun): Promise<Record<string, unknown>> {
  const [customer, subscriptions, purchases] = await Promise.all([
    call('getCustomer', { customer_id, expand: ['attributes'] }),
    call('listCustomerSubscriptions', { customer_id, limit: SHOWN }),
    call('listCustomerPurchases', { customer_id, limit: SHOWN }),
  ]);
  return { ...customer, subscriptions, purchases };
}

function deleteCustomer({ args: { customer_id, confirm }, call }: ToolRun): Promise<Record<string, unknown>> {
  if (confirm !== customer_id) throw parameterError('confirm', 'confirm must be the same id as customer_id.');
  return call('deleteCustomer', { customer_id });
}

function adjust({ args, call }: ToolRun): Promise<Record<string, unknown>> {
  const { customer_id, code, amount, reference } = args;
  const adjustments = { [String(code)]: amount };
  return call('createVirtualCurrencyTransaction', { customer_id, adjustments, reference });
}

export const customerTools: ToolDefinition[] = [
  {
    name: 'list_customers',
    title: 'List customers',
    description:
      'The customers of the project, newest first. `search` finds one by app user id, email address or store transaction.',
    operations: ['listCustomers'],
    effect: 'read',
    arguments: ['search'],
  },
  {
    name: 'get_customer',
    title: 'Get a customer',
    description: `A customer with attributes, active entitlements, and the newest ${SHOWN} subscriptions and one-time purchases.`,
    operations: ['getCustomer', 'listCustomerSubscriptions', 'listCustomerPurchases'],
    effect: 'read',
    arguments: ['customer_id'],
    run: getCustomer,
  },
  {
    name: 'explain_customer_access',
    title: 'Explain the access of a customer',
    description:
      'For each entitlement, why the customer has it or no longer has it, and how purchases moved between customers.',
    operations: ['explainCustomerAccess'],
    effect: 'read',
    arguments: ['customer_id'],
  },
  {
    name: 'list_customer_events',
    title: 'List events of a customer',
    description: 'What happened to the purchases of a customer, newest first.',
    operations: ['listCustomerEvents'],
    effect: 'read',
    arguments: ['customer_id', { name: 'environment', description: 'Default: both.' }],
  },
  {
    name: 'list_customer_notes',
    title: 'List notes on a customer',
    description: 'What the team wrote about a customer, newest first.',
    operations: ['listCustomerNotes'],
    effect: 'read',
    arguments: ['customer_id'],
  },
  {
    name: 'add_customer_note',
    title: 'Add a note on a customer',
    description: 'Adds a note for the team. Customers never see it.',
    operations: ['createCustomerNote'],
    effect: 'write',
    arguments: ['customer_id', { name: 'text', description: 'Plain text, 1 to 5,000 characters.' }],
  },
  {
    name: 'create_customer',
    title: 'Create a customer',
    description: 'Creates a customer before an app does. Fails if the id is in use.',
    operations: ['createCustomer'],
    effect: 'write',
    arguments: [
      {
        name: 'customer_id',
        from: 'id',
        description: 'The app user id, 1 to 100 characters without a slash.',
      },
      { name: 'attributes', description: 'What to save about the customer.' },
    ],
  },
  {
    name: 'set_customer_attributes',
    title: 'Set attributes of a customer',
    description:
      'Sets or deletes attributes of a customer, all or none. The values before are lost, also those that an app set.',
    operations: ['setCustomerAttributes'],
    effect: 'destructive',
    arguments: [
      'customer_id',
      { name: 'attributes', description: 'The attributes to set; null deletes one.' },
    ],
  },
  {
    name: 'grant_entitlement',
    title: 'Grant an entitlement',
    description: 'Gives a customer an entitlement for free until a time, beside what was bought.',
    operations: ['grantEntitlement'],
    effect: 'write',
    arguments: [
      'customer_id',
      { name: 'entitlement_id', form: 'entitlement' },
      { name: 'expires_at', form: 'time_or_duration' },
    ],
  },
  {
    name: 'revoke_granted_entitlement',
    title: 'Revoke a granted entitlement',
    description: 'Ends every grant of an entitlement to a customer at once. Purchases that unlock it stay.',
    operations: ['revokeGrantedEntitlement'],
    effect: 'destructive',
    arguments: ['customer_id', { name: 'entitlement_id', form: 'entitlement' }],
  },
  {
    name: 'assign_offering',
    title: 'Assign an offering to a customer',
    description: 'Makes an offering the current one for this customer. `null` removes the assignment.',
    operations: ['assignOffering'],
    effect: 'write',
    isIdempotent: true,
    arguments: [
      'customer_id',
      {
        name: 'offering_id',
        form: 'offering',
        description: 'Id or lookup key of an offering: `list_offerings`. Null removes the assignment.',
      },
    ],
  },
  {
    name: 'transfer_purchases',
    title: 'Transfer purchases to another customer',
    description:
      'Moves the purchases of a customer to another one, who gets the access. Ask the person before: it cannot be undone by one call.',
    operations: ['transferCustomer'],
    effect: 'destructive',
    arguments: ['customer_id', 'target_customer_id', 'app_ids'],
  },
  {
    name: 'delete_customer',
    title: 'Delete a customer',
    description:
      'Deletes a customer with purchases, attributes and events. This cannot be undone. Ask the person before.',
    operations: ['deleteCustomer'],
    effect: 'destructive',
    arguments: [
      'customer_id',
      {
        name: 'confirm',
        from: 'customer_id',
        required: true,
        description: 'The same id again, so that no other customer is deleted by mistake.',
      },
    ],
    run: deleteCustomer,
  },
];

export const balanceTools: ToolDefinition[] = [
  {
    name: 'list_virtual_currency_balances',
    title: 'List virtual currency balances',
    description: 'The balance of a customer in each virtual currency, sorted by code.',
    operations: ['listCustomerBalances'],
    effect: 'read',
    arguments: ['customer_id'],
  },
  {
    name: 'adjust_virtual_currency',
    title: 'Change a virtual currency balance',
    description: 'Adds to the balance of a customer, or subtracts with a negative amount; never below zero.',
    operations: ['createVirtualCurrencyTransaction'],
    effect: 'write',
    arguments: [
      'customer_id',
      {
        name: 'code',
        required: true,
        schema: { type: 'string', minLength: 1, maxLength: 255 },
        description: 'Code of the virtual currency.',
      },
      {
        name: 'amount',
        required: true,
        schema: { type: 'integer', minimum: -2_000_000_000, maximum: 2_000_000_000 },
        description: 'What to add, or with a minus sign to subtract.',
      },
      'reference',
    ],
    run: adjust,
  },
];
