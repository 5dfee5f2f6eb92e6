import { Entity, PrimaryColumn } from 'typeorm';

/** An id by which a store has named a one-time purchase, for searches. */
@Entity('one_time_identifiers')
export class OneTimeIdentifier {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  projectId: string;

  @PrimaryColumn({ name: 'store_identifier', type: 'text' })
  storeIdentifier: string;

  @PrimaryColumn({ name: 'purchase_id', type: 'text' })
  purchaseId: string;
}
