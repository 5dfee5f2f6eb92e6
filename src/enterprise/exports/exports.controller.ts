import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { V2Route } from '../../platform/auth/v2-route.js';
import { CurrentOrganizationWrite, OrganizationAccess } from '../access/organization-access.js';
import { missingInOrganization } from '../access/organization-errors.js';
import type { OrganizationWrite } from '../access/organization-write.js';
import { type ExportKind, exportKinds, ExportQuery, ExportSigningKeyDto } from './export.dto.js';
import type { ExportFile } from './export-file.js';
import type { ExportFormat } from './export-format.js';
import { ExportSigningService } from './export-signing.service.js';
import { ExportsService } from './exports.service.js';

/** A client that reads nothing for this long is disconnected, because the export holds disk space. */
const STALLED_MS = 60_000;

const mediaTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

const signed = {
  'X-Service-Export-Signature': {
    description: '`ed25519=` and the signature in base64; absent if exports are not signed.',
    schema: { type: 'string' as const },
  },
  'X-Service-Export-SHA256': {
    description: 'SHA-256 of the body, hexadecimal.',
    schema: { type: 'string' as const },
  },
  'X-Service-Export-Key-Id': {
    description: 'The key that signed it, see `getExportPublicKey`; absent if exports are not signed.',
    schema: { type: 'string' as const },
  },
};

@ApiTags('Compliance exports')
@Controller('v2/organizations/:org_id/exports')
export class ExportsController {
  constructor(
    private readonly exports: ExportsService,
    private readonly signing: ExportSigningService,
  ) {}

  @Get('public_key')
  @OrganizationAccess('admin', 'compliance_exports')
  @V2Route({
    operationId: 'getExportPublicKey',
    summary: 'Get the key that signs exports',
    description:
      'The public key with which the signatures of exports can be verified. It is the same for all organizations.',
    ok: ExportSigningKeyDto,
  })
  publicKey(): ExportSigningKeyDto {
    const { signer } = this.signing;
    return {
      object: 'export_signing_key',
      algorithm: 'Ed25519',
      public_key: signer && signer.publicKey.toString('base64'),
      key_id: signer && signer.keyId,
      signs: 'the exact bytes of the response body',
    };
  }

  @Get(':kind')
  @OrganizationAccess('admin', 'compliance_exports')
  @V2Route({
    operationId: 'downloadExport',
    summary: 'Download a signed export',
    description:
      'A file for auditors. `audit_logs`: what happened in the organization and its projects, oldest first. `access_review`: who may do what in which project now, by email address. At most 200,000 rows. Each export is recorded in the audit log.',
    ok: {
      description: 'The file; its signature and hash are in the headers.',
      headers: signed,
      content: {
        'text/csv': { schema: { type: 'string' } },
        'application/json': { schema: { type: 'object', additionalProperties: true } },
      },
    },
    errors: { 503: 'Too many exports are being made.' },
  })
  async download(
    @CurrentOrganizationWrite() write: OrganizationWrite,
    @Param('kind') kind: string,
    @Query() { format, start_time: from, end_time: to }: ExportQuery,
    @Res() response: Response,
  ): Promise<void> {
    if (!isKind(kind)) throw missingInOrganization('export', kind);
    assertRange(kind, from, to);
    const file = await this.exports.make(write, { kind, format, range: { from, to } });
    try {
      this.setHeaders(response, file, `${write.orgId}-${kind}.${format}`);
      response.setHeader('Content-Type', mediaTypes[format]);
      await send(file, response);
    } finally {
      await file.close();
    }
  }

  private setHeaders(response: Response, { size, sha256, signature }: ExportFile, name: string): void {
    response.setHeader('Content-Length', size);
    response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
    // A proxy that compressed the response would change the signed bytes.
    response.setHeader('Cache-Control', 'no-store, no-transform');
    response.setHeader('X-Service-Export-SHA256', sha256);
    const { signer } = this.signing;
    if (signature === null || signer === null) return;
    response.setHeader('X-Service-Export-Signature', `ed25519=${signature}`);
    response.setHeader('X-Service-Export-Key-Id', signer.keyId);
  }
}

/** Stops early if the client has disconnected. */
async function send(file: ExportFile, response: Response): Promise<void> {
  response.setTimeout(STALLED_MS, () => response.destroy());
  const gone = new Promise<boolean>((resolve) => response.once('close', () => resolve(true)));
  for await (const chunk of file.read()) {
    // The buffer is reused for the next chunk, so wait until this one is written.
    const sent = new Promise<boolean>((resolve) => response.write(chunk, (error) => resolve(Boolean(error))));
    if (await Promise.race([sent, gone])) return;
  }
  response.end();
}

function isKind(text: string): text is ExportKind {
  return (exportKinds as readonly string[]).includes(text);
}

/** @throws ApiError 400 naming the parameter */
function assertRange(kind: ExportKind, from: Date | null, to: Date | null): void {
  if (kind === 'access_review' && (from || to)) {
    const name = from ? 'start_time' : 'end_time';
    throw ApiError.parameter(name, `${name} is only for audit_logs: an access review is as of now.`);
  }
  if (from && to && to <= from) throw ApiError.parameter('end_time', 'end_time must be after start_time.');
}
