import { useState } from 'react';
import { useMay } from '../../../api/permissions.js';
import { controlClass, Field } from '../../../ui/forms/field.js';
import type { MediaAsset } from '../paywall.types.js';
import { useCreateMediaAsset } from '../paywalls.queries.js';
import { readBase64 } from './read-base64.js';

const LARGEST_FILE = 2 * 1024 * 1024;

interface UploadImageProps {
  projectId: string;
  onUploaded: (asset: MediaAsset) => void;
}

/** Uploads a file as soon as it is chosen. */
export function UploadImage({ projectId, onUploaded }: UploadImageProps) {
  const upload = useCreateMediaAsset(projectId);
  const may = useMay('createMediaAsset');
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (file: File) => {
    upload.reset();
    const isTooLarge = file.size > LARGEST_FILE;
    setProblem(isTooLarge ? 'The file has more than 2 MiB.' : null);
    if (isTooLarge) return;
    const data = await readBase64(file).catch(() => null);
    if (data === null) return setProblem('The file could not be read.');
    upload.mutate(
      { filename: file.name, content_type: file.type || 'image/png', file_data_base64: data },
      { onSuccess: onUploaded },
    );
  };
  return (
    <div className="grid gap-1">
      <Field label="Upload" error={problem ?? upload.error?.message} hint={may.reason}>
        {(ids) => (
          <input
            {...ids}
            type="file"
            accept="image/png,image/jpeg,image/webp,image/gif"
            disabled={!may.allowed || upload.isPending}
            className={`${controlClass} py-1 text-sm`}
            onChange={({ target }) => {
              const file = target.files?.[0];
              // The same file can be chosen again after an error.
              target.value = '';
              if (file) void send(file);
            }}
          />
        )}
      </Field>
      <p role="status" className="text-sm text-muted empty:hidden">
        {upload.isPending && 'Uploading and converting…'}
      </p>
    </div>
  );
}
