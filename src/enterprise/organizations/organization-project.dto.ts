import { ApiProperty } from '@nestjs/swagger';
import { type Region, regions } from '../../platform/config/enterprise-settings.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import { EnumField, StringField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import type { MemberRole } from '../../platform/principal/permissions.js';
import type { ListedProject } from './organization-projects.repository.js';
import { regionNames } from './regions.service.js';

@BodyExample({ project_id: 'projsx2k8v0a1b' })
export class AddOrganizationProjectDto {
  @StringField({ min: 1, max: 100, description: 'Id of a project of which you are an admin.' })
  project_id: string;
}

@BodyExample({ region: 'eu' })
export class SetProjectRegionDto {
  @EnumField(regions)
  region: Region;
}

export class OrganizationProjectDto {
  @ApiProperty({ enum: ['organization_project'] })
  object: 'organization_project';

  @ApiProperty({ type: String, example: 'projsx2k8v0a1b' })
  id: string;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ enum: regions })
  region: Region;

  @ApiProperty({ type: String, example: 'European Union' })
  region_name: string;

  @ApiProperty({ type: 'integer' })
  member_count: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: '`admin`, `developer`, `viewer` or the id of a custom role; null if you are not on it.',
    example: 'admin',
  })
  your_role: MemberRole | null;

  @ApiProperty({ type: 'integer', description: 'When it was moved in, epoch milliseconds.' })
  added_at: number;
}

export class OrganizationProjectListDto extends listOf(OrganizationProjectDto) {}

export class DeletedOrganizationProjectDto extends deletedOf('organization_project') {}

export function presentOrganizationProject(project: ListedProject): OrganizationProjectDto {
  return {
    object: 'organization_project',
    id: project.projectId,
    name: project.name,
    region: project.region,
    region_name: regionNames[project.region],
    member_count: project.memberCount,
    your_role: project.role,
    added_at: project.addedAt.getTime(),
  };
}
