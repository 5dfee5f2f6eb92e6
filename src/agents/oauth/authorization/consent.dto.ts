import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';

/** The fields of the consent form. */
@BodyExample({ decision: 'deny', csrf: 'v1.…', request: 'v1.…' })
export class ConsentDecisionDto {
  @ApiProperty({ enum: ['allow', 'deny'] })
  decision: string;

  @ApiProperty({ type: String, required: false })
  project_id?: string;

  @ApiProperty({ enum: ['project:read', 'project:write'], required: false })
  access?: string;

  @ApiProperty({ enum: ['on'], required: false })
  money?: string;

  @ApiProperty({ type: String, description: 'From the page.' })
  csrf: string;

  @ApiProperty({ type: String, description: 'From the page.' })
  request: string;
}
