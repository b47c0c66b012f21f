import { html } from './html.js'

const paths = {
  alarm:
    'M8 2.5a3.8 3.8 0 0 0-3.8 3.8c0 3.2-1.4 4.4-1.4 4.4h10.4s-1.4-1.2-1.4-4.4A3.8 3.8 0 0 0 8 2.5ZM6.8 13.2a1.4 1.4 0 0 0 2.4 0',
  away: 'M6.5 3H3v10h10V9.5M9 3h4v4m0-4L7.5 8.5',
  bad: 'M10.8 3v6.2L8.4 13.4a1.3 1.3 0 0 1-1.7-1.5l.5-2.2H3.8a1.3 1.3 0 0 1-1.3-1.6l.9-4A1.4 1.4 0 0 1 4.8 3zM13.2 3v6.2',
  attach: 'm13 7.4-5 5a3.2 3.2 0 0 1-4.5-4.5l5-5a2.1 2.1 0 0 1 3 3l-5 5a1 1 0 0 1-1.5-1.4l4.6-4.6',
  check: 'm3.2 8.6 3 3 6.6-7',
  back: 'M9.8 3.8 5.6 8l4.2 4.2',
  chevron: 'm6 3.8 4.2 4.2L6 12.2',
  close: 'm4 4 8 8m0-8-8 8',
  coins:
    'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2ZM10 5.9c-.4-.7-1.1-1-2-1-1.2 0-2.1.6-2.1 1.5 0 2.1 4.2 1.1 4.2 3.2 0 .9-.9 1.5-2.1 1.5-.9 0-1.7-.4-2.1-1.1M8 4v8',
  copy: 'M5.5 5.5h7v7h-7zM3.5 10.5v-7h7',
  denied: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2ZM4 4l8 8',
  down: 'M8 3v10m-4-4 4 4 4-4',
  download: 'M8 2.8v7m-3-2.9 3 3 3-3M3 12.8h10',
  failed: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2Zm0 3v3.4m0 2.1v.1',
  file: 'M4 2.2h5l3 3v8.6H4zM9 2.2v3h3',
  folder: 'M2.2 12.6V3.8h4l1.4 1.8h6.2v7z',
  good: 'M5.2 13V6.8l2.4-4.2a1.3 1.3 0 0 1 1.7 1.5l-.5 2.2h3.4a1.3 1.3 0 0 1 1.3 1.6l-.9 4a1.4 1.4 0 0 1-1.4 1.1zM2.8 13V6.8',
  hash: 'M6.4 2.8 5 13.2M11 2.8 9.6 13.2M3 6h10.4M2.6 10H13',
  history: 'M2.6 8a5.4 5.4 0 1 0 1.6-3.8L2.6 5.6m0-2.8v2.8h2.8M8 5.2V8l2 1.4',
  keyboard: 'M1.8 4h12.4v8H1.8zM4.3 6.5h.1m2.3 0h.1m2.4 0h.1m2.3 0h.1M5 9.5h6',
  menu: 'M2.5 4.5h11M2.5 8h11m-11 3.5h11',
  moon: 'M13 9.6A5.6 5.6 0 0 1 6.4 3a5.6 5.6 0 1 0 6.6 6.6Z',
  picture: 'M2.2 3h11.6v10H2.2zM2.4 11.4l3.4-3.6 2.8 2.8 1.8-1.8 3.2 3.2M10.6 6.2h.1',
  panel: 'M2.2 3h11.6v10H2.2zM9.8 3v10',
  plus: 'M8 3.2v9.6M3.2 8h9.6',
  question: 'M5.9 6.1a2.1 2.1 0 1 1 3 1.9c-.6.3-.9.7-.9 1.4m0 2.2v.1M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8Z',
  send: 'M8 13V3.2M3.8 7.2 8 3l4.2 4.2',
  silent: 'M3 3.2h10v7.2H8L5 13v-2.6H3zM5.6 5.2l4.8 3.2',
  shield: 'M8 2 3.2 3.8v3.8c0 3 2 5.2 4.8 6.4 2.8-1.2 4.8-3.4 4.8-6.4V3.8z',
  stop: 'M4.5 4.5h7v7h-7z',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM8 1.4v1.4m0 10.4v1.4M1.4 8h1.4m10.4 0h1.4M3.3 3.3l1 1m7.4 7.4 1 1m0-9.4-1 1m-7.4 7.4-1 1',
  table: 'M2.2 3h11.6v10H2.2zM2.2 6.4h11.6M2.2 9.7h11.6M6.2 3v10',
  system: 'M2.2 3h11.6v7.6H2.2zM6 13.4h4M8 10.6v2.8',
  unknown: 'M5.9 6.1a2.1 2.1 0 1 1 3 1.9c-.6.3-.9.7-.9 1.4m0 2.2v.1',
}

/** An icon beside text, hidden from screen readers. */
export const Icon = ({ name }) => html`
  <svg class=${`icon icon-${name}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d=${paths[name]} />
  </svg>
`

/** A bobbin: two flanges with thread wound between them, its end running off to one side. */
export const Logo = () => html`
  <svg class="logo" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
    <path class="logo-body" d="M7 4.5h18M7 27.5h18" />
    <path class="logo-thread" d="M10 10.2l12-2.4M10 15.2l12-2.4M10 20.2l12-2.4M10 25.2l12-2.4c3.4-.7 5 .4 6.5 3.7" />
  </svg>
`
