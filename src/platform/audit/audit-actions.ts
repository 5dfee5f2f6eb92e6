/** What can happen to each kind of object. An action type is both: `entitlement_created`. */
export const auditActions = {
  project: ['created', 'name_updated', 'settings_updated', 'deleted'],
  app: ['created', 'updated', 'deleted', 'subscribers_extended'],
  product: ['created', 'updated', 'archived', 'unarchived', 'deleted'],
  entitlement: [
    'created',
    'updated',
    'archived',
    'unarchived',
    'deleted',
    'products_attached',
    'products_detached',
  ],
  offering: ['created', 'updated', 'archived', 'unarchived', 'deleted'],
  package: ['created', 'updated', 'deleted', 'products_attached', 'products_detached'],
  virtual_currency: ['created', 'updated', 'archived', 'unarchived', 'deleted'],
  api_key: ['created', 'deleted'],
  collaborator: [
    'added',
    'updated',
    'removed',
    'email_changed',
    'password_changed',
    'password_reset',
    'two_factor_disabled',
  ],
  invite: ['created', 'updated', 'resent', 'revoked', 'accepted'],
  webhook_integration: [
    'created',
    'updated',
    'deleted',
    'secret_rotated',
    'tested',
    'delivery_retried',
    'replayed',
    'circuit_opened',
    'circuit_closed',
    'paused',
  ],
  auth_settings: ['updated'],
  auth_provider: ['created', 'updated', 'deleted'],
  auth_identity: ['deleted'],
  customer: [
    'created',
    'deleted',
    'erased',
    'exported',
    'attributes_set',
    'entitlement_granted',
    'granted_entitlement_revoked',
    'offering_assigned',
    'offering_unassigned',
    'purchase_restored',
    'transferred',
    'virtual_currencies_adjusted',
  ],
  blocked_customer: ['created', 'updated', 'deleted'],
  subscription: ['simulated', 'cancelled', 'extended', 'refunded', 'transaction_refunded'],
  purchase: ['simulated', 'refunded'],
  test_clock: ['created', 'updated', 'advanced', 'customer_attached', 'deleted'],
} as const;

export type AuditTarget = keyof typeof auditActions;
export type AuditAction<Target extends AuditTarget> = (typeof auditActions)[Target][number];

export const auditActionTypes: readonly string[] = Object.entries(auditActions).flatMap(([target, actions]) =>
  actions.map((action) => `${target}_${action}`),
);
