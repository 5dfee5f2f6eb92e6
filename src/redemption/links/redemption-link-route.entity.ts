import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Maps the hash of a link's token to the link. */
@Entity('redemption_link_routes')
export class RedemptionLinkRoute {
  @PrimaryColumn({ type: 'bytea' })
  tokenHash: Buffer;

  @Column('text')
  projectId: string;

  @Column('text')
  linkId: string;
}
