import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../../api/permissions.js';
import { ConfirmCall } from '../../../frame/forms/confirm-call.js';
import { IconButton } from '../../../ui/button.js';
import { EmptyState } from '../../../ui/loading/empty-state.js';
import { QueryPanel } from '../../../ui/loading/query-panel.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { DataText } from '../../../ui/text/data-text.js';
import { usePaywallDocument } from '../editor/paywall-editor-context.js';
import type { ImageFiles, MediaAsset } from '../paywall.types.js';
import { mediaAssetsQuery, useDeleteMediaAsset } from '../paywalls.queries.js';
import { Picture } from './picture.js';
import { UploadImage } from './upload-image.js';

interface ImageDialogProps {
  onChoose: (files: ImageFiles) => void;
  onClose: () => void;
}

/** The part of an uploaded image that documents contain. */
const filesOf = ({ formats, width, height }: MediaAsset): ImageFiles =>
  ({ width, height, ...formats }) as unknown as ImageFiles;

/** Chooses one of the uploaded images, uploads another one, or deletes one. */
export function ImageDialog({ onChoose, onClose }: ImageDialogProps) {
  const { projectId } = usePaywallDocument();
  const query = useQuery(mediaAssetsQuery(projectId));
  const remove = useDeleteMediaAsset(projectId);
  const [deleted, setDeleted] = useState<MediaAsset | null>(null);
  if (deleted)
    return (
      <ConfirmCall
        title="Delete image"
        danger
        effect={
          <p>
            <DataText>{deleted.filename}</DataText> is removed from the images. Images that a paywall shows
            cannot be deleted.
          </p>
        }
        confirmLabel="Delete"
        done="Image deleted."
        write={remove}
        input={deleted.id}
        call={{
          operation: 'DELETE /v2/projects/{project_id}/media_assets/{media_asset_id}',
          path: { project_id: projectId, media_asset_id: deleted.id },
        }}
        onClose={() => {
          remove.reset();
          setDeleted(null);
        }}
      />
    );
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title="Choose an image"
      description="PNG, JPEG, WebP or GIF of at most 2 MiB. Images are converted for phones."
    >
      <div className="grid grid-cols-1 gap-4">
        <UploadImage projectId={projectId} onUploaded={(asset) => onChoose(filesOf(asset))} />
        <QueryPanel query={query} queryKey={mediaAssetsQuery(projectId).queryKey}>
          {(assets) => {
            const images = assets.filter(({ width }) => width !== null);
            if (images.length === 0) return <EmptyState sentence="No images yet. Upload the first one." />;
            return (
              <ul aria-label="Images" className="grid grid-cols-2 gap-3 sm:grid-cols-4">
                {images.map((asset) => (
                  <ImageTile
                    key={asset.id}
                    asset={asset}
                    onChoose={() => onChoose(filesOf(asset))}
                    onDelete={() => setDeleted(asset)}
                  />
                ))}
              </ul>
            );
          }}
        </QueryPanel>
      </div>
    </Dialog>
  );
}

interface ImageTileProps {
  asset: MediaAsset;
  onChoose: () => void;
  onDelete: () => void;
}

function ImageTile({ asset, onChoose, onDelete }: ImageTileProps) {
  const may = useMay('deleteMediaAsset');
  return (
    <li className="min-w-0 overflow-hidden rounded-md border border-line">
      <button type="button" onClick={onChoose} className="block aspect-4/3 w-full hover:opacity-80">
        <Picture files={filesOf(asset)} label={asset.filename} />
      </button>
      <div className="flex items-center gap-1 border-t border-line ps-2">
        <span className="min-w-0 flex-1 text-xs">
          <DataText truncate>{asset.filename}</DataText>
          <span className="block text-muted">{`${asset.width} × ${asset.height}`}</span>
        </span>
        <IconButton
          size="sm"
          icon="trash"
          label={`Delete ${asset.filename}`}
          disabledReason={may.reason}
          onClick={onDelete}
        />
      </div>
    </li>
  );
}
