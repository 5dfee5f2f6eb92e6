import { Entity, PrimaryColumn } from 'typeorm';

/** One of a user's addresses, in lower case, because identity providers look people up by address. */
@Entity('scim_user_emails')
export class ScimUserEmail {
  @PrimaryColumn({ type: 'text' })
  orgId: string;

  @PrimaryColumn('text')
  email: string;

  @PrimaryColumn({ type: 'text' })
  scimUserId: string;
}
