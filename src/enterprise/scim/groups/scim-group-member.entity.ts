import { Entity, PrimaryColumn } from 'typeorm';

/** One row a member: adding one to a large group rewrites nothing. */
@Entity('scim_group_members')
export class ScimGroupMember {
  @PrimaryColumn({ name: 'org_id', type: 'text' })
  orgId: string;

  @PrimaryColumn({ name: 'group_id', type: 'text' })
  groupId: string;

  @PrimaryColumn({ name: 'scim_user_id', type: 'text' })
  scimUserId: string;
}
