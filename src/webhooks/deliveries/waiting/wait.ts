import type { DeliveryReason } from '../delivery-reason.js';

/** A delivery that cannot be sent without an attribute of its customer. */
export interface Wait {
  verdict: 'waiting';
  reason: Extract<DeliveryReason, 'missing_attribute' | 'no_consent'>;
  customerId: string;
  /** The attributes, any of which may let the event be sent, with the values that did not. */
  attributes: ReadonlyMap<string, string | null>;
  until: Date;
}
