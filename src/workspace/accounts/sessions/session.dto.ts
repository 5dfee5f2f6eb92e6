import { ApiProperty } from '@nestjs/swagger';
import { listOf } from '../../../platform/http/lists/list.dto.js';
import { type SessionMethod, sessionMethods } from '../../../platform/principal/principal.js';

export class SessionDto {
  @ApiProperty({ enum: ['session'] })
  object: 'session';

  @ApiProperty({ type: String, example: 'ses_mjvu2kq6r0a1b2c3' })
  id: string;

  @ApiProperty({ type: Boolean, description: 'Whether this request uses it.' })
  current: boolean;

  @ApiProperty({ enum: sessionMethods, description: 'How it began.' })
  method: SessionMethod;

  @ApiProperty({ type: String, nullable: true, description: 'Address that it began from.' })
  ip: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Browser or program that it began in.' })
  user_agent: string | null;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: 'integer', description: 'To the minute, epoch milliseconds.' })
  last_seen_at: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  expires_at: number;
}

export class SessionListDto extends listOf(SessionDto) {}
