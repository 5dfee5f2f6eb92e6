import { domainToASCII } from 'node:url';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables with addresses, and what tells two rows with the same address apart; null where addresses may repeat. */
const tables: { table: string; unique: string | null }[] = [
  { table: 'users', unique: 'true' },
  { table: 'invites', unique: 'other.project_id = present.project_id' },
  { table: 'account_links', unique: null },
  { table: 'scim_users', unique: null },
  {
    table: 'scim_user_emails',
    unique: 'other.org_id = present.org_id AND other.scim_user_id = present.scim_user_id',
  },
];

/** The domain as DNS has it; what is no domain stays. */
function withAsciiDomain(email: string): string {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const ascii = /[\s/\\:?#@%[\]]/.test(domain) ? '' : domainToASCII(domain);
  return ascii === '' ? email : email.slice(0, -domain.length) + ascii;
}

/**
 * Addresses with a domain in Unicode get the one form in which addresses are compared. Where that address is there as
 * well, the row stays: it is of the same mailbox.
 */
export class EmailDomains1768000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const { table, unique } of tables) {
      const rows = (await queryRunner.query(
        `SELECT DISTINCT email FROM ${table} WHERE substring(email from '[^@]*$') ~ '[^\\x01-\\x7f]'`,
      )) as { email: string }[];
      const isFree =
        unique === null
          ? ''
          : `AND NOT EXISTS (SELECT FROM ${table} other WHERE other.email = $2 AND ${unique})`;
      for (const { email } of rows) {
        await queryRunner.query(`UPDATE ${table} present SET email = $2 WHERE email = $1 ${isFree}`, [
          email,
          withAsciiDomain(email),
        ]);
      }
    }
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
