import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Maps the hash of a link's token to its invite. */
@Entity('invite_routes')
export class InviteRoute {
  @PrimaryColumn({ name: 'token_hash', type: 'bytea' })
  tokenHash: Buffer;

  @Column({ name: 'project_id', type: 'text' })
  projectId: string;

  @Column({ name: 'invite_id', type: 'text' })
  inviteId: string;
}
