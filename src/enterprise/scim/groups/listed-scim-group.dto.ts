import { ApiProperty } from '@nestjs/swagger';
import { listOf } from '../../../platform/http/lists/list.dto.js';

export class ListedScimGroupDto {
  @ApiProperty({ enum: ['scim_group'] })
  object: 'scim_group';

  @ApiProperty({ type: String, example: 'scg_mjvu2kq6r0a1b2c3' })
  id: string;

  @ApiProperty({ type: String, example: 'Engineering' })
  display_name: string;

  @ApiProperty({ type: 'integer', example: 12 })
  member_count: number;

  @ApiProperty({ type: String, nullable: true, description: "The identity provider's own id." })
  external_id: string | null;
}

export class ListedScimGroupListDto extends listOf(ListedScimGroupDto) {}
