export const summaryText = (name: string, store: string) => (name === store ? name : `${name}, ${store}`);
