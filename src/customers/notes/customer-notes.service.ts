import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService, type WriteTransaction } from '../../platform/audit/project-writes.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { placeByCreation, startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import type { Author } from '../../platform/principal/author.js';
import type { CustomerRow } from '../customers/identity/customer-state.js';
import { CustomersService } from '../customers/identity/customers.service.js';
import type { CustomerNote } from './customer-note.entity.js';
import { CustomerNotesRepository } from './customer-notes.repository.js';

/** A note by its id and any app user id of its customer. */
export interface NoteName {
  appUserId: string;
  id: string;
}

/**
 * Notes of the team about customers. They follow a customer who merges into another one, and are erased with the
 * customer. Transferred purchases leave them where they are. Texts are not audited, so that erasing a note leaves none.
 */
@Injectable()
export class CustomerNotesService {
  constructor(
    private readonly repository: CustomerNotesRepository,
    private readonly customers: CustomersService,
    private readonly writes: ProjectWritesService,
  ) {}

  /** @throws ApiError 404 for an unknown customer */
  create(write: ProjectWrite, appUserId: string, text: string, author: Author): Promise<CustomerNote> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      const customer = await this.customers.lockExisting(tx, projectId, appUserId);
      const note: CustomerNote = {
        projectId,
        id: newId('customerNote', tx.nowMs()),
        customerId: customer.id,
        text,
        authorType: author.type,
        authorId: author.id,
        authorEmail: author.email,
        createdAt: new Date(tx.nowMs()),
        editedAt: null,
      };
      await this.repository.insert(tx, note);
      await this.audit(tx, 'note_created', customer, note.id);
      return note;
    });
  }

  /** Changes the text. @throws ApiError 404; 403 for a note of another author */
  edit(
    write: ProjectWrite,
    { appUserId, id }: NoteName,
    text: string,
    author: Author,
  ): Promise<CustomerNote> {
    return this.change(write, { appUserId, id }, async (tx, customer, note) => {
      if (!isBy(note, author)) throw new ApiError('forbidden', 'Only the author can change a note.');
      const edited = { ...note, text, editedAt: new Date(tx.nowMs()) };
      await this.repository.edit(tx, edited);
      await this.audit(tx, 'note_edited', customer, id);
      return edited;
    });
  }

  /** Returns the time (epoch ms). @throws ApiError 404 */
  delete(write: ProjectWrite, name: NoteName): Promise<number> {
    return this.change(write, name, async (tx, customer, note) => {
      await this.repository.delete(tx, write.projectId, note.id);
      await this.audit(tx, 'note_deleted', customer, note.id);
      return tx.nowMs();
    });
  }

  /** @throws ApiError 404 */
  async get(projectId: string, { appUserId, id }: NoteName): Promise<CustomerNote> {
    const note = await this.repository.find(projectId, await this.customerId(projectId, appUserId), id);
    if (!note) throw ApiError.missing('customer note', id);
    return note;
  }

  /** Numbers of notes by customer id. Omits customers without notes. */
  count(projectId: string, customerIds: string[]): Promise<Map<string, number>> {
    return this.repository.count(projectId, customerIds);
  }

  /** Up to `limit + 1` notes, newest first. @throws ApiError 404; 400 for a cursor of another list */
  async page(projectId: string, appUserId: string, page: PageRequest): Promise<CustomerNote[]> {
    const customerId = await this.customerId(projectId, appUserId);
    const after = await startOf(page.after, ['time'], async (id) => {
      const note = await this.repository.find(projectId, customerId, id);
      return note && placeByCreation(note);
    });
    return this.repository.page(projectId, customerId, page, after);
  }

  private change<T>(
    write: ProjectWrite,
    { appUserId, id }: NoteName,
    work: (tx: WriteTransaction, customer: CustomerRow, note: CustomerNote) => Promise<T>,
  ): Promise<T> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      const customer = await this.customers.lockExisting(tx, projectId, appUserId);
      const note = await this.repository.find(projectId, customer.id, id, tx);
      if (!note) throw ApiError.missing('customer note', id);
      return work(tx, customer, note);
    });
  }

  private audit(
    tx: WriteTransaction,
    action: 'note_created' | 'note_edited' | 'note_deleted',
    { originalAppUserId }: CustomerRow,
    noteId: string,
  ): Promise<void> {
    return tx.audit({ action, target: 'customer', targetId: originalAppUserId, data: { note_id: noteId } });
  }

  private async customerId(projectId: string, appUserId: string): Promise<string> {
    const id = await this.customers.idOf(projectId, appUserId);
    if (id === null) throw ApiError.missing('customer', appUserId);
    return id;
  }
}

function isBy({ authorType, authorId }: CustomerNote, { type, id }: Author): boolean {
  return authorType === type && authorId === id;
}
