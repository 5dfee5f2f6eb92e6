import type { DestinationType } from './destinations.queries.js';

const titles: Record<DestinationType['category'], string> = {
  analytics: 'Analytics',
  attribution: 'Attribution',
  messaging: 'Messaging',
  chat: 'Chat',
  http: 'Any tool',
};

export interface GalleryGroup {
  title: string;
  types: DestinationType[];
}

/** The types that match a search, by category. Groups without a match are left out. */
export function galleryGroups(types: readonly DestinationType[], search: string): GalleryGroup[] {
  const wanted = search.trim().toLowerCase();
  const matches = types.filter(({ name, description, category }) =>
    [name, description, titles[category]].some((text) => text.toLowerCase().includes(wanted)),
  );
  return Object.entries(titles)
    .map(([category, title]) => ({ title, types: matches.filter((type) => type.category === category) }))
    .filter((group) => group.types.length > 0);
}
