/** Plain words for Slack's text fields: what would be a mark or a mention is none. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
