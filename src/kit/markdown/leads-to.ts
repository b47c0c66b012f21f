/** Addresses in words, each with its port and path, in which nobody looks for another. */
const addresses =
  /(?<![\p{L}\p{N}_-])((?:[\p{L}\p{N}_-]{1,63}\.){1,10}\p{L}{2,63})(?!-*[\p{L}\p{N}])(?::\d{1,5})?(?:[/?#]\S*)?/gu

/** Hosts after a scheme, whatever they look like. */
const withScheme = /https?:\/\/([^\s/?#]*[\p{L}\p{N}\]])/giu

/** What to say after a link if its words name another address than the one it leads to; else nothing. */
export function leadsTo(words: string, url: string): string {
  const host = URL.parse(url)?.hostname
  if (!host) return ''
  // What nobody sees does not make another word of an address, nor do marks that only some platforms know there.
  const shown = readable(words).replace(/\p{Cf}|<\/?[a-z][^<>.]*>|[*~`]/giu, '')
  const isOther =
    namesOther(unlined(shown), unlined(host)) ||
    // A host may have them, too.
    (host !== unlined(host) && namesOther(shown, host))
  return isOther ? ` (leads to ${host})` : ''
}

const unlined = (text: string): string => text.replaceAll('__', '')

const namesOther = (words: string, host: string): boolean =>
  [addresses, withScheme]
    .flatMap((pattern) => [...words.matchAll(pattern)])
    .some(([, address = '']) => bare(address) !== bare(host))

/** Other full stops are dots in an address, too. */
const readable = (words: string): string => words.normalize('NFKC').replaceAll('。', '.')

const bare = (address: string): string => (URL.parse(`http://${address}`)?.hostname ?? address).replace(/^www\./, '')
