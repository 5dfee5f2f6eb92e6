import { Entity, PrimaryColumn } from 'typeorm';

/** One row a member: adding one to a large group rewrites nothing. */
@Entity('scim_group_members')
export class ScimGroupMember {
  @PrimaryColumn({ type: 'text' })
  orgId: string;

  @PrimaryColumn({ type: 'text' })
  groupId: string;

  @PrimaryColumn({ type: 'text' })
  scimUserId: string;
}
