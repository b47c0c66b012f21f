const sentence = (text) => (text ? `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}` : '')

const sentences = (...texts) => texts.map(sentence).join(' ').trim()

/**
 * Platforms that are not connected, and messages that connected ones reject.
 * @param {Record<string, { ok: boolean, detail: string, remedy?: string, waiting?: { count: number, reason: string,
 *   remedy: string }[] }>} platforms
 */
export const outagesIn = (platforms) =>
  Object.entries(platforms).flatMap(([platform, { ok, detail, remedy, waiting = [] }]) => [
    ...(ok ? [] : [{ platform, detail: sentences(detail, remedy) }]),
    ...waiting.map((one) => ({ platform, waits: one.count, detail: sentences(one.reason, one.remedy) })),
  ])
