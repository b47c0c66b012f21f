const superscripts = new Map([...'0123456789+-−–n'].map((sign, index) => [sign, [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻ⁿ'][index]]))

/** Superscript as characters: m² instead of m2, which is something else. */
export const raised = (text: string): string =>
  /^\s*[0-9+\-−–n]{1,20}\s*$/.test(text) ? [...text].map((sign) => superscripts.get(sign) ?? sign).join('') : text
