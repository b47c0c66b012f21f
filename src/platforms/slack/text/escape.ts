/** Plain text for Slack's text fields: nothing in it becomes markup or a mention. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
