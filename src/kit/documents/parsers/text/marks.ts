const superscripts = new Map([...'0123456789+-−–n'].map((sign, index) => [sign, [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻ⁿ'][index]]))

/** Superscript as characters: m² instead of m2, which is something else. */
export const raised = (text: string): string =>
  /^[0-9+\-−–n.,()\s]{1,20}$/.test(text) ? [...text].map((sign) => superscripts.get(sign) ?? sign).join('') : text

/** Struck out. The tildes stand at the words: in Markdown they mean nothing beside a space. */
export const struck = (text: string): string => text.replace(/\S(?:.*\S)?/s, '~~$&~~')

/** Behind the author of a comment whose thread is resolved. */
export const resolvedMark = ', resolved'
