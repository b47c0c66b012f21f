/** Addresses in words, each with its port and path, in which nobody looks for another. */
const addresses =
  /(?<![\p{L}\p{N}_-])((?:[\p{L}\p{N}_-]{1,63}\.){1,10}\p{L}{2,63})(?!-*[\p{L}\p{N}])(?::\d{1,5})?(?:[/?#]\S*)?/gu

const hostOf = (url) => {
  try {
    return new URL(url).hostname
  } catch {
    return ''
  }
}

const bare = (address) => (hostOf(`http://${address}`) || address).replace(/^www\./, '')

/** Other full stops are dots in an address, too. */
const readable = (words) => words.normalize('NFKC').replaceAll('。', '.')

/** What to say after a link if its words name another address than the one it leads to; else nothing. As in chats. */
export function leadsTo(words, url) {
  const host = hostOf(url)
  if (!host) return ''
  // What nobody sees does not make another word of an address.
  const shown = [
    ...readable(words)
      .replace(/\p{Cf}|<\/?[a-z][^<>.]*>/giu, '')
      .matchAll(addresses),
  ]
  return shown.some(([, address]) => bare(address) !== bare(host)) ? ` (leads to ${host})` : ''
}
