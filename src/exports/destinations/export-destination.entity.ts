import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DestinationKind, PlainSettings } from './destination-settings.js';

/** A place for files: a bucket, a server, or a folder. */
@Entity('export_destinations')
export class ExportDestination {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  kind: DestinationKind;

  @Column('text')
  prefix: string;

  /** Where files go, without the prefix: equal for two destinations that write into the same bucket or folder. */
  @Column('text')
  place: string;

  /** Without secrets. */
  @Column('jsonb')
  settings: PlainSettings;

  /** The secrets by name, as one sealed JSON object. */
  @Column('text', { nullable: true })
  sealedSecrets: string | null;

  /** When each secret was set, epoch milliseconds by name. */
  @Column('jsonb')
  secretTimes: Record<string, number>;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
