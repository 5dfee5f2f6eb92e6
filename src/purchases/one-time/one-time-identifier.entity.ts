import { Entity, PrimaryColumn } from 'typeorm';

/** A store's id of a one-time purchase, for searches. */
@Entity('one_time_identifiers')
export class OneTimeIdentifier {
  @PrimaryColumn({ type: 'text' })
  projectId: string;

  @PrimaryColumn({ type: 'text' })
  storeIdentifier: string;

  @PrimaryColumn({ type: 'text' })
  purchaseId: string;
}
