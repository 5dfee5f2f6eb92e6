import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { statement } from '../../../platform/database/statement.js';
import { keysetPage } from '../../../platform/http/lists/keyset.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { Invite } from './invite.entity.js';

/** An invite as presented by its link. */
export interface OpenInvite extends Invite {
  projectName: string;
  /** Null if the account is gone. */
  inviterName: string | null;
  inviterEmail: string | null;
}

export interface Inviter {
  name: string | null;
  email: string;
  emailVerified: boolean;
}

const setRoute = statement(
  'invites.set_route',
  `INSERT INTO invite_routes (project_id, invite_id, token_hash) VALUES ($1, $2, $3)
   ON CONFLICT (project_id, invite_id) DO UPDATE SET token_hash = excluded.token_hash`,
);

const findOpen = statement(
  'invites.find_open',
  `SELECT i.project_id AS "projectId", i.id, i.email, i.role, i.invited_by AS "invitedBy",
     i.token_hash AS "tokenHash", i.created_at AS "createdAt", i.last_sent_at AS "lastSentAt",
     i.expires_at AS "expiresAt", p.name AS "projectName", u.name AS "inviterName", u.email AS "inviterEmail"
   FROM invite_routes r
   JOIN projects p ON p.id = r.project_id AND p.deleted_at IS NULL
   JOIN invites i ON i.project_id = r.project_id AND i.id = r.invite_id
   LEFT JOIN users u ON u.id = i.invited_by
   WHERE r.token_hash = $1 AND i.expires_at > $2`,
);

const useUp = statement(
  'invites.take',
  `DELETE FROM invites WHERE project_id = $1 AND id = $2 AND token_hash = $3 AND expires_at > $4 RETURNING id`,
);

const findInviter = statement(
  'invites.find_inviter',
  `SELECT name, email, email_verified AS "emailVerified" FROM users WHERE id = $1`,
);

@Injectable()
export class InvitesRepository {
  constructor(
    @InjectRepository(Invite) private readonly invites: Repository<Invite>,
    private readonly database: DatabaseService,
  ) {}

  page(projectId: string, page: PageRequest): Promise<Invite[]> {
    return keysetPage(this.invites, { projectId }, page);
  }

  find(projectId: string, id: string): Promise<Invite | null> {
    return this.invites.findOneBy({ projectId, id });
  }

  lock(tx: Transaction, which: { projectId: string } & Partial<Invite>): Promise<Invite | null> {
    const lock = { mode: 'pessimistic_write' } as const;
    return onTransaction(this.invites, tx).findOne({ where: which, lock });
  }

  /** Creates or changes an invite. From then on, only the link of this token works. */
  async save(tx: Transaction, invite: Invite): Promise<void> {
    await onTransaction(this.invites, tx).upsert(invite, ['projectId', 'id']);
    await tx.query(setRoute, [invite.projectId, invite.id, invite.tokenHash]);
  }

  async delete(tx: Transaction, projectId: string, id: string): Promise<boolean> {
    return (await onTransaction(this.invites, tx).delete({ projectId, id })).affected === 1;
  }

  /** Returns null for a token that is unknown, expired or replaced. */
  async findOpen(tokenHash: Buffer, now: Date): Promise<OpenInvite | null> {
    return (await this.database.query<OpenInvite>(findOpen, [tokenHash, now]))[0] ?? null;
  }

  /** Uses the link up; returns false if it was used already or stopped working. */
  async useUp(tx: Transaction, { projectId, id, tokenHash }: Invite, now: Date): Promise<boolean> {
    return (await tx.query(useUp, [projectId, id, tokenHash, now])).length === 1;
  }

  async findInviter(userId: string): Promise<Inviter | null> {
    return (await this.database.query<Inviter>(findInviter, [userId]))[0] ?? null;
  }
}
