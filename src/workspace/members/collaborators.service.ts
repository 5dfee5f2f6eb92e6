import { Injectable } from '@nestjs/common';
import { startOf } from '../../platform/http/list-place.js';
import type { PageRequest } from '../../platform/http/lists.js';
import { CollaboratorsRepository, type Member } from './collaborators.repository.js';

/** The people of a project. */
@Injectable()
export class CollaboratorsService {
  constructor(private readonly repository: CollaboratorsRepository) {}

  /**
   * One more than a page, in the order in which people became members.
   * @throws ApiError 400 when `page.after` is no member of the project
   */
  async page(projectId: string, page: PageRequest): Promise<Member[]> {
    const after = await startOf(page.after, ['time'], (userId) => this.repository.placeOf(projectId, userId));
    return this.repository.page(projectId, page, after);
  }
}
