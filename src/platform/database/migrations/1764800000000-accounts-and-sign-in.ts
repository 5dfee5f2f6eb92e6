import type { MigrationInterface, QueryRunner } from 'typeorm';
import { accountsTables } from './accounts-and-sign-in/accounts.sql.js';
import { alertsTables } from './accounts-and-sign-in/alerts.sql.js';
import { customerSessionsTables } from './accounts-and-sign-in/customer-sessions.sql.js';
import { mailTables } from './accounts-and-sign-in/mail.sql.js';
import { membersTables } from './accounts-and-sign-in/members.sql.js';
import { signInTables } from './accounts-and-sign-in/sign-in.sql.js';

/** Version 0.2.0: mail, members, and customers who sign in. A server of 0.1.0 still runs on it. */
export class AccountsAndSignIn1764800000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(accountsTables);
    await queryRunner.query(mailTables);
    await queryRunner.query(alertsTables);
    await queryRunner.query(membersTables);
    await queryRunner.query(signInTables);
    await queryRunner.query(customerSessionsTables);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
