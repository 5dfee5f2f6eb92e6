import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';

export interface AlertRecipient {
  userId: string;
  email: string;
  projectName: string;
}

/** $2: only confirmed addresses. */
const recipients = statement(
  'project_alerts.recipients',
  `SELECT u.id AS "userId", u.email, p.name AS "projectName"
   FROM project_members m JOIN users u ON u.id = m.user_id
   JOIN projects p ON p.id = m.project_id AND p.deleted_at IS NULL
   WHERE m.project_id = $1 AND m.role IN ('admin', 'developer') AND u.alert_emails AND (u.email_verified OR NOT $2)
   ORDER BY m.accepted_at, m.user_id`,
);

@Injectable()
export class AlertRecipientsRepository {
  constructor(private readonly config: Config) {}

  /** Returns admins and developers who want mails about problems; none if the project is deleted. */
  of(tx: Transaction, projectId: string): Promise<AlertRecipient[]> {
    return tx.query(recipients, [projectId, this.config.edition === 'cloud']);
  }
}
