import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Content that never changes, named by its checksum. */
@Entity('content_blobs')
export class ContentBlob {
  @PrimaryColumn('text')
  projectId: string;

  @PrimaryColumn('text')
  ref: string;

  @Column('text')
  contentType: string;

  @Column('bytea')
  bytes: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** Null while a published paywall uses it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  unusedSince: Date | null;
}
