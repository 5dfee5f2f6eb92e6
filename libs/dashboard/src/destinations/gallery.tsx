import { useState } from 'react';
import { AppLink } from '../ui/app-link.js';
import { TextField } from '../ui/forms/text-field.js';
import { NoMatch } from '../ui/loading/empty-state.js';
import { Panel } from '../ui/panel.js';
import type { DestinationType } from './destinations.queries.js';
import { galleryGroups } from './gallery-groups.js';

interface GalleryProps {
  projectId: string;
  types: readonly DestinationType[];
}

/** The tools that can receive events, in groups. */
export function Gallery({ projectId, types }: GalleryProps) {
  const [search, setSearch] = useState('');
  const groups = galleryGroups(types, search);
  return (
    <Panel
      title="Add a destination"
      actions={
        <TextField
          type="search"
          label="Search tools"
          labelHidden
          placeholder="Search tools"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      }
    >
      {groups.length === 0 && <NoMatch things="tools" onClear={() => setSearch('')} />}
      <div className="flex flex-col gap-5">
        {groups.map(({ title, types: tools }) => (
          <section key={title} className="flex flex-col gap-2">
            <h3 className="text-sm font-medium text-muted">{title}</h3>
            <ul className="grid gap-2 sm:grid-cols-2 xl:grid-cols-3">
              {tools.map(({ id, name, description }) => (
                <li key={id}>
                  <AppLink
                    href={`/projects/${projectId}/integrations/new/${id}`}
                    className="flex h-full flex-col gap-0.5 rounded-md border border-line p-3 text-fg no-underline hover:border-edge hover:bg-hover hover:no-underline"
                  >
                    <span className="font-medium">{name}</span>
                    <span className="text-sm text-muted">{description}</span>
                  </AppLink>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Panel>
  );
}
