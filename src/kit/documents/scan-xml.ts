/** Is told the contents of an XML file in order, with names both without their prefix and as they are written. */
export interface XmlListener {
  open(name: string, attributes: Attributes, written: string): void
  /** Between two tags; entities are resolved. May come in several pieces. */
  text?(text: string): void
  /** Also after an empty element. False: nothing more is needed. */
  close?(name: string, written: string): boolean | undefined
  /** A `<!DOCTYPE …`, which is ignored, up to its first `>`. */
  doctype?(text: string): void
}

/** Bytes that are decoded at once, and characters that are read at once; more if one token is longer. */
const chunkBytes = 1024 * 1024
const chunkCharacters = 1024 * 1024

/** This many bytes are enough to detect the encoding. */
const headBytes = 200

/**
 * Reads XML from one end to the other, in linear time and without keeping any of it. Entities other than XML's own
 * five stay as they are written. False if the file ends in the middle of something.
 */
export function scanXml(xml: Uint8Array, listener: XmlListener): boolean {
  const scan = new XmlScan(listener)
  for (let at = 0; at < xml.length; at += chunkBytes) if (!scan.push(xml.subarray(at, at + chunkBytes))) break
  return scan.end()
}

/** The same for a file that comes in pieces. `between`: awaited after each. */
export async function scanXmlPieces(
  pieces: AsyncIterable<Uint8Array>,
  listener: XmlListener,
  between: () => Promise<void> = async () => {},
): Promise<boolean> {
  const scan = new XmlScan(listener)
  for await (const piece of pieces) {
    if (!scan.push(piece)) break
    await between()
  }
  return scan.end()
}

type Decoder = InstanceType<typeof TextDecoder>

class XmlScan {
  readonly #listener: XmlListener
  #decoder: Decoder | undefined
  #head: Uint8Array = new Uint8Array()
  #text = ''
  #wanted = 0
  #isEnough = false

  constructor(listener: XmlListener) {
    this.#listener = listener
  }

  /** False if nothing more is needed. */
  push(bytes: Uint8Array): boolean {
    if (this.#decoder !== undefined) return this.#decode(this.#decoder, bytes)
    this.#head = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes])
    if (this.#head.length < headBytes) return true
    return this.#decode(this.#begin(), this.#head)
  }

  /** False if it ended in the middle of something. */
  end(): boolean {
    if (this.#isEnough) return true
    const decoder = this.#decoder ?? this.#begin()
    this.#text += decoder.decode(this.#head)
    this.#read()
    return this.#isEnough || !this.#text.includes('<')
  }

  #begin(): Decoder {
    this.#decoder = new TextDecoder(encodingOf(this.#head))
    return this.#decoder
  }

  #decode(decoder: Decoder, bytes: Uint8Array): boolean {
    this.#head = new Uint8Array()
    this.#text += decoder.decode(bytes, { stream: true })
    if (this.#text.length >= this.#wanted) this.#read()
    return !this.#isEnough
  }

  #read(): void {
    const read = readChunk(this.#text, this.#listener)
    this.#isEnough = read === 'enough'
    if (read === 'enough') return
    // Twice as much if nothing was complete, so that one long token isn't scanned again and again.
    this.#wanted = read === 0 ? this.#text.length * 2 : this.#text.length - read + chunkCharacters
    this.#text = this.#text.slice(read)
  }
}

/** Reports everything that is complete. Returns how far that goes. */
function readChunk(text: string, listener: XmlListener): number | 'enough' {
  let at = 0
  while (true) {
    const start = text.indexOf('<', at)
    if (start === -1) return at
    const second = text.charCodeAt(start + 1)
    const special = second === 0x21 || second === 0x3f ? specialAt(text, start) : undefined
    if (special === 'unknown') return at
    const end = special === undefined ? tagEnd(text, start) : text.indexOf(special.end, start + special.begin.length)
    if (end === -1) return at
    if (start > at) listener.text?.(unescapeXml(lined(text.slice(at, start))))
    if (special === undefined) {
      if (tell(text, start, end, listener) === false) return 'enough'
    } else if (special.isText) listener.text?.(lined(text.slice(start + special.begin.length, end)))
    else if (special.begin === '<!') listener.doctype?.(text.slice(start, end))
    at = end + (special?.end.length ?? 1)
  }
}

/** Every line end becomes one character. */
const lined = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text)

interface Special {
  begin: string
  end: string
  isText: boolean
}

const specials: Special[] = [
  { begin: '<!--', end: '-->', isText: false },
  { begin: '<![CDATA[', end: ']]>', isText: true },
  { begin: '<?', end: '?>', isText: false },
]

/** `unknown` as long as too little of it has arrived. */
function specialAt(text: string, start: number): Special | 'unknown' {
  const special = specials.find(({ begin }) => text.startsWith(begin, start))
  if (special !== undefined) return special
  return text.length - start < 9 ? 'unknown' : { begin: '<!', end: '>', isText: false }
}

/** A `>` may stand within a quoted value. */
function tagEnd(text: string, start: number): number {
  const close = text.indexOf('>', start)
  if (close === -1) return -1
  let quote = 0
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (quote !== 0) {
      if (code === quote) quote = 0
    } else if (code === 0x3e) return at
    else if (code === 0x22 || code === 0x27) quote = code
  }
  return -1
}

function tell(text: string, start: number, end: number, listener: XmlListener): boolean | undefined {
  if (text.charCodeAt(start + 1) === 0x2f) {
    const written = text.slice(start + 2, end).trim()
    return listener.close?.(localName(written), written)
  }
  const isEmpty = text.charCodeAt(end - 1) === 0x2f
  const last = isEmpty ? end - 1 : end
  let nameEnd = start + 1
  while (nameEnd < last && text.charCodeAt(nameEnd) > 0x20) nameEnd++
  const written = text.slice(start + 1, nameEnd)
  const name = localName(written)
  listener.open(name, new Attributes(nameEnd === last ? '' : text.slice(nameEnd, last)), written)
  return isEmpty ? listener.close?.(name, written) : undefined
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The attributes of one tag. They are parsed only when asked for: most never are. */
export class Attributes {
  /** As they are written. */
  readonly source: string

  constructor(source: string) {
    this.source = source
  }

  /** By its name without a prefix; with `prefixed`, only one that has a prefix. */
  get(name: string, prefixed = false): string | undefined {
    const { source } = this
    let at = 0
    while (at < source.length) {
      const equals = source.indexOf('=', at)
      if (equals === -1) return undefined
      let begin = equals + 1
      while (source.charCodeAt(begin) <= 0x20) begin++
      const end = source.indexOf(source.charAt(begin), begin + 1)
      if (end === -1) return undefined
      const full = source.slice(at, equals).trim()
      if (localName(full) === name && (!prefixed || full.includes(':')))
        return unescapeXml(source.slice(begin + 1, end))
      at = end + 1
    }
    return undefined
  }

  number(name: string): number | undefined {
    const value = this.get(name)
    return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined
  }

  flag(name: string): boolean {
    const value = this.get(name)
    return value === '1' || value === 'true' || value === 'on'
  }
}

const entities = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])

export function unescapeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,4});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities.get(name) ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
    const isText =
      code > 31 ? code < 0xd800 || (code > 0xdfff && code < 0x110000) : code === 9 || code === 10 || code === 13
    return isText ? String.fromCodePoint(code) : '\ufffd'
  })
}

function isKnownEncoding(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== ''
  } catch {
    return false
  }
}

function encodingOf(xml: Uint8Array): string {
  const [first, second] = xml
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be'
  const head = new TextDecoder('latin1').decode(xml.subarray(0, 200))
  const declared = /^[^<]{0,10}<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(head)?.[1] ?? 'utf-8'
  return isKnownEncoding(declared) && !/^utf-?16/i.test(declared) ? declared : 'utf-8'
}
