import type { OrganizationWritesService } from '../access/organization-writes.service.js';
import type { LicenceService } from '../licence/licence.service.js';
import type { AuditRetentionRepository } from './audit-retention.repository.js';
import { AuditRetentionService } from './audit-retention.service.js';

const PROJECTS = 250;

it('purges every project of an organization, however many before it have nothing to delete', async () => {
  const left = new Map([[`project ${PROJECTS - 1}`, 2_500]]);
  const deleteOf = (name: string, limit: number): Promise<number> => {
    const deleted = Math.min(left.get(name) ?? 0, limit);
    left.set(name, (left.get(name) ?? 0) - deleted);
    return Promise.resolve(deleted);
  };
  const repository = {
    organizations: () => Promise.resolve(['org']),
    lock: () => Promise.resolve(true),
    daysOf: () => Promise.resolve(30),
    projectsOf: () => Promise.resolve(Array.from({ length: PROJECTS }, (_, index) => `project ${index}`)),
    deleteOfOrganization: (_tx: unknown, _org: string, _before: Date, limit: number) =>
      deleteOf('org', limit),
    deleteOfProject: (_tx: unknown, project: string, _before: Date, limit: number) =>
      deleteOf(project, limit),
  } as unknown as AuditRetentionRepository;
  const audited: object[] = [];
  const tx = {
    write: { orgId: 'org' },
    nowMs: () => Date.UTC(2026, 0, 1),
    audit: (row: object) => Promise.resolve(void audited.push(row)),
  };
  const writes = { run: (_: unknown, work: (given: typeof tx) => unknown) => work(tx) };
  const service = new AuditRetentionService(
    repository,
    writes as unknown as OrganizationWritesService,
    { feature: () => true } as unknown as LicenceService,
  );
  await service.purge();
  expect(left.get(`project ${PROJECTS - 1}`)).toBe(0);
  expect(audited).toMatchObject([{ data: { rows: 2_500 } }]);
});
