import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Maps the hash of a link's token to the link, and remains for a while if the link is deleted before. */
@Entity('redemption_link_routes')
export class RedemptionLinkRoute {
  @PrimaryColumn({ type: 'bytea' })
  tokenHash: Buffer;

  @Column('text')
  projectId: string;

  @Column('text')
  linkId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
