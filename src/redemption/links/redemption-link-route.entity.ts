import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Maps the hash of a link's token to the link. */
@Entity('redemption_link_routes')
export class RedemptionLinkRoute {
  @PrimaryColumn({ name: 'token_hash', type: 'bytea' })
  tokenHash: Buffer;

  @Column('text', { name: 'project_id' })
  projectId: string;

  @Column('text', { name: 'link_id' })
  linkId: string;
}
