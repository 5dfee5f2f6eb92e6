import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../platform/audit/audit-actions.js';
import type { AuditChanges } from '../../platform/audit/audit-changes.js';
import type { Actor } from '../../platform/audit/project-write.js';
import { Config } from '../../platform/config/config.js';
import type { Transaction } from '../../platform/database/database.service.js';
import type { MailContent } from '../../platform/mail/mail.js';
import { mailAfterCommit } from '../../platform/mail/mail-after-commit.js';
import { MailsService } from '../../platform/mail/mails.service.js';
import { ProjectsService } from '../projects/projects.service.js';
import { ConnectedClients, type DisconnectReason } from './connected-clients.js';
import type { User } from './user.entity.js';

/** Reports changes to an account: to the audit logs of its projects, and to its owner by mail. */
@Injectable()
export class AccountChangesService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly mails: MailsService,
    private readonly clients: ConnectedClients,
    private readonly config: Config,
  ) {}

  audit(
    tx: Transaction,
    user: User,
    action: AuditAction<'collaborator'>,
    actor?: Actor,
    changes?: AuditChanges,
  ): Promise<void> {
    return this.projects.auditMember(tx, user.id, action, actor, changes);
  }

  /** Revokes the user's OAuth clients. */
  disconnectClients(tx: Transaction, user: User, reason: DisconnectReason, actor?: Actor): Promise<void> {
    return this.clients.disconnectAll(tx, user.id, reason, actor);
  }

  /** `contentOf` receives the URL of the page that requests a reset link. */
  notify(
    tx: Transaction,
    user: User,
    kind: string,
    contentOf: (resetUrl: string) => MailContent,
  ): Promise<void> {
    const content = contentOf(`${this.config.baseUrl}/reset-password`);
    return mailAfterCommit(this.mails, tx, { tenantId: user.id, kind, to: user.email, content });
  }
}
