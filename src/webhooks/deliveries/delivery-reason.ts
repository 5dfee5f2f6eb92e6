export const deliveryReasons = [
  'missing_attribute',
  'no_consent',
  'test_clock',
  'before_start',
  'event_off',
  'grant',
  'family_share',
  'too_old',
  'no_sandbox_key',
  'no_stream',
  'no_money_back',
  'bad_attribute',
  'opted_out',
  'rejected',
  'too_large',
  'gave_up',
  'refused_key',
  'quiet',
] as const;

/** Why a delivery waits, is late, was skipped, or failed. */
export type DeliveryReason = (typeof deliveryReasons)[number];
