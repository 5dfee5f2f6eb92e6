import { Entity, PrimaryColumn } from 'typeorm';

/** One row per member, so that adding one to a large group rewrites nothing else. */
@Entity('scim_group_members')
export class ScimGroupMember {
  @PrimaryColumn({ type: 'text' })
  orgId: string;

  @PrimaryColumn({ type: 'text' })
  groupId: string;

  @PrimaryColumn({ type: 'text' })
  scimUserId: string;
}
