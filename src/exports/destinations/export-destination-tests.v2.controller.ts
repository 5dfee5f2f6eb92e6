import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentWrite, type ProjectWrite } from '../../platform/audit/project-write.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { exportPermissions } from '../export-permissions.js';
import { ExportDestinationTestDto, TestExportDestinationDto } from './export-destination-test.dto.js';
import { presentDestinationTest } from './export-destination.presenter.js';
import { ExportDestinationTestsService } from './export-destination-tests.service.js';

@ApiTags('Exports')
@Controller('v2/projects/:project_id/integrations/exports/destinations')
export class ExportDestinationTestsV2Controller {
  constructor(private readonly tests: ExportDestinationTestsService) {}

  @Post('actions/test')
  @V2Route({
    permission: exportPermissions,
    operationId: 'testExportDestinationSettings',
    summary: 'Test settings of an export destination',
    description:
      'Writes a small file to a destination that is not saved yet, reads it and deletes it. For an SFTP server without ' +
      '`host_key` it only returns the key of the server.',
    ok: ExportDestinationTestDto,
    errors: { 422: 'The server has no folder for the kind `local`.', 429: 'More than 10 tests in a minute.' },
  })
  async testDraft(
    @CurrentWrite() write: ProjectWrite,
    @Body() body: TestExportDestinationDto,
  ): Promise<ExportDestinationTestDto> {
    return presentDestinationTest(await this.tests.testDraft(write, body));
  }

  @Post(':export_destination_id/actions/test')
  @V2Route({
    permission: exportPermissions,
    operationId: 'testExportDestination',
    summary: 'Test an export destination',
    description:
      'Writes a small file to the destination, reads it and deletes it. If the host key of an SFTP server has changed, it ' +
      'returns the new key: update the destination with it once you know why it changed.',
    ok: ExportDestinationTestDto,
    errors: { 422: 'A stored secret cannot be read.', 429: 'More than 10 tests in a minute.' },
  })
  async test(
    @CurrentWrite() write: ProjectWrite,
    @Param('export_destination_id') id: string,
  ): Promise<ExportDestinationTestDto> {
    return presentDestinationTest(await this.tests.testSaved(write, id));
  }
}
