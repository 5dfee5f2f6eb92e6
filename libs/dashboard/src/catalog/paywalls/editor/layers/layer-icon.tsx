/** Outlines of 24 × 24 for types of components. */
const outlines: Record<string, string> = {
  base: 'M7 2h10a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zM12 18h.01',
  text: 'M4 7V5h16v2M12 5v14M9 19h6',
  image: 'M3 3h18v18H3zM21 15l-5-5L5 21M7 8.5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0',
  icon: 'M12 3l2.7 5.7 6.3.8-4.6 4.3 1.2 6.2-5.6-3-5.6 3 1.2-6.2L3 9.5l6.3-.8z',
  stack: 'M3 3h18v7H3zM3 14h18v7H3z',
  button: 'M5 7h14a4 4 0 0 1 4 4v2a4 4 0 0 1-4 4H5a4 4 0 0 1-4-4v-2a4 4 0 0 1 4-4zM8 12h8',
  package: 'M12 2l9 5v10l-9 5-9-5V7zM3 7l9 5 9-5M12 12v10',
  purchase_button: 'M2 5h20v14H2zM2 10h20M6 15h4',
  timeline: 'M6 4v16M6 6h.01M6 12h.01M6 18h.01M11 6h9M11 12h9M11 18h9',
  timeline_item: 'M6 4v16M4 12h4M11 12h9',
  tabs: 'M3 8h18v12H3zM3 8V4h8v4',
  tab: 'M3 8h18v12H3zM3 8V4h8v4',
  tab_control: 'M3 9h18v6H3zM12 9v6',
  tab_control_button: 'M3 9h18v6H3zM12 9v6',
  tab_control_toggle: 'M8 7h8a5 5 0 0 1 0 10H8A5 5 0 0 1 8 7zM6 12a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
  carousel: 'M7 4h10v16H7zM3 7v10M21 7v10',
  countdown: 'M12 8v5l3 2M9 2h6M4 13a8 8 0 1 0 16 0a8 8 0 1 0-16 0',
  video: 'M3 5h18v14H3zM10 9l5 3-5 3z',
  web_view: 'M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18',
  header: 'M3 3h18v18H3zM3 9h18',
  sticky_footer: 'M3 3h18v18H3zM3 15h18',
  sheet: 'M4 21V10h16v11M9 14h6',
  input_text: 'M2 7h20v10H2zM6 10v4',
};

const other = 'M4 4h16v16H4z';

/** The icon of a type of component. */
export function LayerIcon({ type }: { type: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="size-4 shrink-0 text-muted"
    >
      <path d={outlines[type] ?? other} />
    </svg>
  );
}
