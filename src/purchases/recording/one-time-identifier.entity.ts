import { Entity, PrimaryColumn } from 'typeorm';

/** An id by which a store has named a one-time purchase, for searches. */
@Entity('one_time_identifiers')
export class OneTimeIdentifier {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  storeIdentifier: string;

  @PrimaryColumn({ type: 'text' })
  purchaseId: string;
}
