import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Maps the hash of a link's token to its invite. */
@Entity('invite_routes')
export class InviteRoute {
  @PrimaryColumn({ type: 'bytea' })
  tokenHash: Buffer;

  @Column({ type: 'text' })
  projectId: string;

  @Column({ type: 'text' })
  inviteId: string;
}
