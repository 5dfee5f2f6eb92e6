import { Injectable } from '@nestjs/common';
import { startOf } from '../../platform/http/list-place.js';
import type { PageRequest } from '../../platform/http/lists.js';
import { CollaboratorsRepository, type Member } from './collaborators.repository.js';

@Injectable()
export class CollaboratorsService {
  constructor(private readonly repository: CollaboratorsRepository) {}

  /** Up to `limit + 1` members, oldest first. @throws ApiError 400 if `page.after` is not a member of the project */
  async page(projectId: string, page: PageRequest): Promise<Member[]> {
    const after = await startOf(page.after, ['time'], (userId) => this.repository.placeOf(projectId, userId));
    return this.repository.page(projectId, page, after);
  }
}
