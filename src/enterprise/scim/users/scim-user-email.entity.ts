import { Entity, PrimaryColumn } from 'typeorm';

/** One of a user's addresses, in lower case: identity providers look people up by them. */
@Entity('scim_user_emails')
export class ScimUserEmail {
  @PrimaryColumn({ name: 'org_id', type: 'text' })
  orgId: string;

  @PrimaryColumn('text')
  email: string;

  @PrimaryColumn({ name: 'scim_user_id', type: 'text' })
  scimUserId: string;
}
